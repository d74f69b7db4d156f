/// A condition on a JSON document, in words: `/length >= 50000 and not /isLoading`.
///
///     let predicate = try JSONPredicate("/items/0/title contains \"shoes\"")
///     try predicate.holds(for: document)
///
/// A place is a JSON Pointer, `.` for the whole document. One whose keys hold spaces, parentheses or
/// signs of comparison is written as a URI fragment (RFC 6901, section 6): `#/a%20b`.
///
/// | condition | holds where |
/// | --- | --- |
/// | `/a == JSON`, `/a != JSON` | the value is equal, is not |
/// | `/a < JSON`, also `<=`, `>`, `>=` | both are numbers, or both strings, in this order |
/// | `/a contains JSON` | a string holds this string, an array this element, an object this key |
/// | `/a matches "PATTERN"` | the regular expression is found somewhere in the string |
/// | `/a exists` | there is a value, be it null |
/// | `/a` | the value is true |
/// | `not C`, `C and D`, `C or D`, `(C)` | `not` binds closest, then `and` |
///
/// Either side of a comparison may be a place. Numbers are compared exactly, whatever their size;
/// strings by their bytes. A value that is missing equals null, since Swift leaves out what is nil,
/// and nothing else; it is neither less nor more than anything, and contains and matches nothing.
public struct JSONPredicate {
  let condition: Condition
  /// The places that it speaks of, each once, in the order of the text.
  public let pointers: [JSONPointer]

  /// The longest pattern of `matches`, in characters.
  public static let maximumPattern = 1000
  /// The longest string that `matches` looks through, in bytes: the time of a regular expression may
  /// grow with the square of the length, or worse.
  public static let maximumSubject = 1 << 20

  /// Whether it holds for what `value` says lies at a place, nil for nothing. Asks for no more than
  /// it needs to know.
  ///
  /// - Throws: what `value` throws; `JSONError.subject` where `matches` meets too long a string.
  /// - Complexity: O(n) in the values, but for patterns.
  public func holds(_ value: (JSONPointer) throws -> JSONValue?) throws -> Bool {
    try condition.holds(value)
  }

  /// Whether it holds for `document`.
  /// - Throws: `JSONError.subject`, as above.
  public func holds(for document: JSONValue) throws -> Bool { try holds { document[$0] } }
}

/// What a predicate is made of.
indirect enum Condition {
  case not(Condition)
  // Lists, so that a long chain is no deeper than a short one.
  case all([Condition])
  case any([Condition])
  case compare(Operand, Relation, Operand)
  case contains(Operand, Operand)
  case matches(Operand, Regex<AnyRegexOutput>)
  case exists(JSONPointer)
  case isTrue(JSONPointer)
}

enum Operand {
  case place(JSONPointer)
  case value(JSONValue)
}

enum Relation: String, CaseIterable {
  case equal = "=="
  case unequal = "!="
  case atMost = "<="
  case atLeast = ">="
  case less = "<"
  case more = ">"
}

extension Condition {
  typealias Lookup = (JSONPointer) throws -> JSONValue?

  func holds(_ value: Lookup) throws -> Bool {
    switch self {
    case .not(let condition): try !condition.holds(value)
    case .all(let conditions): try conditions.allSatisfy { try $0.holds(value) }
    case .any(let conditions): try conditions.contains { try $0.holds(value) }
    case .compare(let left, let relation, let right):
      relation.holds(try left.evaluated(value), try right.evaluated(value))
    case .contains(let whole, let part):
      Self.contains(try whole.evaluated(value), try part.evaluated(value))
    case .matches(let text, let pattern): try Self.matches(try text.evaluated(value), pattern)
    case .exists(let pointer): try value(pointer) != nil
    case .isTrue(let pointer): try value(pointer) == .bool(true)
    }
  }

  private static func contains(_ whole: JSONValue?, _ part: JSONValue?) -> Bool {
    guard let whole, let part else { return false }
    switch (whole, part) {
    case (.string(var text), .string(let part)):
      let pattern = BytePattern(part.utf8)
      return text.withUTF8 { pattern.firstOffset(in: UnsafeRawBufferPointer($0)) != nil }
    case (.array(let elements), _): return elements.contains(part)
    case (.object(let object), .string(let key)): return object.place(of: key) != nil
    case (.null, _), (.bool, _), (.number, _), (.string, _), (.object, _): return false
    }
  }

  private static func matches(
    _ subject: JSONValue?, _ pattern: Regex<AnyRegexOutput>
  ) throws -> Bool {
    guard case .string(let text) = subject else { return false }
    let length = text.utf8.count
    guard length <= JSONPredicate.maximumSubject else {
      throw JSONError.subject(bytes: length, limit: JSONPredicate.maximumSubject)
    }
    return try pattern.firstMatch(in: text) != nil
  }
}

extension Operand {
  fileprivate func evaluated(_ value: Condition.Lookup) throws -> JSONValue? {
    switch self {
    case .place(let pointer): try value(pointer)
    case .value(let value): value
    }
  }
}

extension Relation {
  fileprivate func holds(_ left: JSONValue?, _ right: JSONValue?) -> Bool {
    switch self {
    case .equal: return left ?? .null == right ?? .null
    case .unequal: return left ?? .null != right ?? .null
    case .less, .more, .atMost, .atLeast:
      guard let order = Self.order(left, right) else { return false }
      switch self {
      case .less: return order < 0
      case .more: return order > 0
      case .atMost: return order <= 0
      case .atLeast, .equal, .unequal: return order >= 0
      }
    }
  }

  private static func order(_ left: JSONValue?, _ right: JSONValue?) -> Int? {
    switch (left, right) {
    case (.number(let one), .number(let other)): one < other ? -1 : one == other ? 0 : 1
    case (.string(let one), .string(let other)): JSONText.compare(one, other)
    case (_, _): nil
    }
  }
}
