/// A JSON value that loses nothing: numbers keep their digits, strings their bytes, objects the
/// order of their members and even repeated keys.
///
///     let value = try JSONValue(parsing: #"{"by": 1.50}"#)
///     value["by"]                     // the number 1.50
///     value.description               // {"by":1.50}
///     value == ["by": 1.5]            // true: equality goes by value
///
/// Two values are equal exactly if their `canonical` bytes are: numbers by value, strings by their
/// bytes (so that texts differing in Unicode normalization differ), arrays element for element,
/// objects whatever the order of their members.
public enum JSONValue: Sendable {
  /// `null`
  case null
  /// `true` or `false`
  case bool(Bool)
  /// A number, as its digits.
  case number(JSONNumber)
  /// A string. Compare the cases' payloads by `utf8`: Swift's `==` merges Unicode normalizations.
  case string(String)
  /// Elements in order.
  case array([JSONValue])
  /// Members in order.
  case object(JSONObject)
}

extension JSONValue {
  /// The value of the member `key`, compared by bytes, where this is an object that has it.
  /// - Complexity: O(n) in the members.
  public subscript(key: String) -> JSONValue? {
    guard case .object(let object) = self else { return nil }
    return object[key]
  }

  /// The element at `index`, from 0, where this is an array that has it.
  public subscript(index: Int) -> JSONValue? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }

  /// What the value is, with its article: `a string`, `an object`, `null`.
  public var kindName: String {
    switch self {
    case .null: "null"
    case .bool: "a Boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension JSONValue: Equatable {
  /// Whether both have the same canonical bytes.
  /// - Complexity: O(n log n) in the size of the values.
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let one), .bool(let other)): one == other
    case (.number(let one), .number(let other)): one == other
    case (.string(let one), .string(let other)): JSONText.equal(one, other)
    case (.array(let one), .array(let other)): one == other
    case (.object(let one), .object(let other)): one == other
    case (.null, _), (.bool, _), (.number, _), (.string, _), (.array, _), (.object, _): false
    }
  }
}

extension JSONValue: Hashable {
  /// Hashes what equality compares.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .number(let value): hasher.combine(value)
    case .string(let text): JSONText.hash(text, into: &hasher)
    case .array(let elements): hasher.combine(elements)
    case .object(let object): hasher.combine(object)
    }
  }
}

extension JSONValue: CustomStringConvertible {
  /// The value as compact JSON.
  public var description: String { String(decoding: serialized, as: UTF8.self) }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// `null`
  public init(nilLiteral: ()) { self = .null }
  /// `true` or `false`
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// A number.
  public init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }
  /// A number; `null` for an infinite literal.
  public init(floatLiteral value: Double) {
    self = JSONNumber(value).map(JSONValue.number) ?? .null
  }
  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// An array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// An object with its members in the order of the literal.
  public init(dictionaryLiteral members: (String, JSONValue)...) {
    self = .object(JSONObject(members.map { JSONObject.Member(key: $0.0, value: $0.1) }))
  }
}
