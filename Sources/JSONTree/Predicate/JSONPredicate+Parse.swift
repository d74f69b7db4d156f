extension JSONPredicate {
  /// Reads a predicate.
  /// - Throws: `JSONError.predicate`, with the column where it goes wrong and what was expected there.
  public init(_ text: String) throws(JSONError) {
    var parser = PredicateParser(text)
    condition = try parser.parse()
    pointers = parser.pointers
  }
}

/// The grammar of predicates, by recursive descent.
private struct PredicateParser {
  private let bytes: [UInt8]
  private var offset = 0
  private var depth = 0
  private(set) var pointers: [JSONPointer] = []
  private var known: Set<JSONPointer> = []

  /// The most levels of parentheses and `not`s: each takes stack.
  private static let maximumDepth = 200

  init(_ text: String) { bytes = Array(text.utf8) }

  mutating func parse() throws(JSONError) -> Condition {
    let condition = try disjunction()
    guard isAtEnd else { throw unexpected("and, or, or the end") }
    return condition
  }

  private mutating func disjunction() throws(JSONError) -> Condition {
    var conditions = [try conjunction()]
    while take(word: "or") || take("||") { conditions.append(try conjunction()) }
    return conditions.count == 1 ? conditions[0] : .any(conditions)
  }

  private mutating func conjunction() throws(JSONError) -> Condition {
    var conditions = [try negation()]
    while take(word: "and") || take("&&") { conditions.append(try negation()) }
    return conditions.count == 1 ? conditions[0] : .all(conditions)
  }

  private mutating func negation() throws(JSONError) -> Condition {
    skipSpace()
    guard depth < Self.maximumDepth else {
      throw unexpected("no more than \(Self.maximumDepth) levels of parentheses and not")
    }
    depth += 1
    defer { depth -= 1 }
    if take(word: "not") { return .not(try negation()) }
    if peek() == UInt8(ascii: "!"), peek(1) != UInt8(ascii: "="), take("!") {
      return .not(try negation())
    }
    if take("(") {
      let condition = try disjunction()
      guard take(")") else { throw unexpected("and, or, or ')'") }
      return condition
    }
    return try comparison()
  }

  private mutating func comparison() throws(JSONError) -> Condition {
    if take(word: "exists") {
      guard let pointer = try pointer() else { throw unexpected("a pointer behind exists") }
      return .exists(pointer)
    }
    let left = try operand("a pointer such as /items/0, a JSON value, not, or '('")
    for relation in Relation.allCases where take(relation.rawValue) {
      return .compare(left, relation, try operand(Self.value(behind: relation.rawValue)))
    }
    if take(word: "contains") {
      return .contains(left, try operand(Self.value(behind: "contains")))
    }
    if take(word: "matches") { return .matches(left, try pattern()) }
    guard case .place(let pointer) = left else { throw unexpected(Self.comparisons) }
    if take(word: "exists") { return .exists(pointer) }
    guard isAtEnd || peek() == UInt8(ascii: ")") || startsConnective else {
      throw unexpected("\(Self.comparisons), exists, and, or, or the end")
    }
    return .isTrue(pointer)
  }

  private static let comparisons = "==, !=, <, <=, >, >=, contains, matches"

  private static func value(behind word: String) -> String {
    "a JSON value or a pointer behind \(word) (a string stands in \"quotation marks\")"
  }
}

extension PredicateParser {
  private mutating func operand(_ expected: String) throws(JSONError) -> Operand {
    if let pointer = try pointer() { return .place(pointer) }
    if let value = try literal() { return .value(value) }
    throw unexpected(expected)
  }

  private mutating func pointer() throws(JSONError) -> JSONPointer? {
    skipSpace()
    let isFragment = peek() == UInt8(ascii: "#")
    guard isFragment || peek() == UInt8(ascii: "/") || peek() == UInt8(ascii: ".") else {
      return nil
    }
    let start = offset
    while let byte = peek(), !Self.endsPointer(byte) { offset += 1 }
    let text = String(decoding: bytes[start..<offset], as: UTF8.self)
    do throws(JSONError) {
      let pointer = try text == "." ? JSONPointer() : JSONPointer(Self.plain(text))
      if known.insert(pointer).inserted { pointers.append(pointer) }
      return pointer
    } catch {
      throw .predicate(column: column(of: start), reason: "\(error)")
    }
  }

  private static func endsPointer(_ byte: UInt8) -> Bool {
    byte <= 0x20 || "()=!<>".utf8.contains(byte)
  }

  /// The pointer that a URI fragment stands for; other text as it is.
  private static func plain(_ text: String) throws(JSONError) -> String {
    guard text.utf8.first == UInt8(ascii: "#") else { return text }
    var (plain, rest): ([UInt8], ArraySlice<UInt8>) = ([], Array(text.utf8)[1...])
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        plain.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(JSONText.hexValue),
        let low = rest.popFirst().flatMap(JSONText.hexValue)
      else { throw .pointer(text, reason: "after '%' must come two hexadecimal digits") }
      plain.append(UInt8(high << 4 | low))
    }
    guard let pointer = String(validating: plain, as: UTF8.self) else {
      throw .pointer(text, reason: "its bytes are not UTF-8")
    }
    return pointer
  }

  private mutating func pattern() throws(JSONError) -> Regex<AnyRegexOutput> {
    skipSpace()
    let start = offset
    guard case .string(let pattern)? = try literal() else {
      offset = start
      throw unexpected("a regular expression in \"quotation marks\" behind matches")
    }
    do {
      return try JSONPredicate.regex(pattern)
    } catch {
      throw .predicate(column: column(of: start), reason: "\(error)")
    }
  }

  private mutating func literal() throws(JSONError) -> JSONValue? {
    skipSpace()
    let start = offset
    guard let first = peek() else { return nil }
    switch first {
    case UInt8(ascii: "["), UInt8(ascii: "{"): skipContainer()
    case UInt8(ascii: "\""): skipString()
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      while let byte = peek(), Self.continuesNumber(byte) { offset += 1 }
    default:
      guard take(word: "true") || take(word: "false") || take(word: "null") else { return nil }
    }
    do throws(JSONError) {
      return try JSONValue(parsing: Array(bytes[start..<offset]))
    } catch {
      throw .predicate(column: column(of: start + (error.offset ?? 0)), reason: error.reason)
    }
  }

  private static func continuesNumber(_ byte: UInt8) -> Bool {
    byte &- 0x30 < 10 || "+-.eE".utf8.contains(byte)
  }
}

extension PredicateParser {
  private func peek(_ distance: Int = 0) -> UInt8? {
    offset + distance < bytes.count ? bytes[offset + distance] : nil
  }

  private var isAtEnd: Bool {
    mutatingCopy {
      $0.skipSpace()
      return $0.offset == bytes.count
    }
  }

  /// Whether `and` or `or` comes next.
  private var startsConnective: Bool {
    mutatingCopy {
      $0.take(word: "and") || $0.take(word: "or") || $0.take("&&") || $0.take("||")
    }
  }

  private func mutatingCopy<T>(_ body: (inout Self) -> T) -> T {
    var copy = self
    return body(&copy)
  }

  private mutating func skipSpace() {
    while let byte = peek(), byte <= 0x20 { offset += 1 }
  }

  private mutating func skipString() {
    offset += 1
    while let byte = peek(), byte != UInt8(ascii: "\"") {
      offset = min(offset + (byte == UInt8(ascii: "\\") ? 2 : 1), bytes.count)
    }
    offset = min(offset + 1, bytes.count)
  }

  private mutating func skipContainer() {
    var open = 0
    while let byte = peek() {
      if byte == UInt8(ascii: "\"") {
        skipString()
        continue
      }
      offset += 1
      if "[{".utf8.contains(byte) { open += 1 }
      if "]}".utf8.contains(byte) { open -= 1 }
      if open == 0 { return }
    }
  }

  private mutating func take(_ sign: String) -> Bool {
    skipSpace()
    guard bytes[offset...].starts(with: sign.utf8) else { return false }
    offset += sign.utf8.count
    return true
  }

  private mutating func take(word: String) -> Bool {
    skipSpace()
    let end = offset + word.utf8.count
    guard bytes[offset...].starts(with: word.utf8),
      end == bytes.count || !Self.continuesWord(bytes[end])
    else { return false }
    offset = end
    return true
  }

  private static func continuesWord(_ byte: UInt8) -> Bool {
    byte >= 0x80 || UnicodeScalar(byte).properties.isAlphabetic || byte &- 0x30 < 10
  }

  /// The error that names what was expected here, and shows the word that is here.
  private func unexpected(_ expected: String) -> JSONError {
    let rest = bytes[offset...].drop { $0 <= 0x20 }
    let word = rest.prefix { $0 > 0x20 }
    let text = String(decoding: word.prefix(400), as: UTF8.self)
    let found = word.isEmpty ? "the end" : text.count <= 60 ? text : text.prefix(60) + "…"
    return .predicate(
      column: column(of: rest.startIndex), reason: "expected \(expected), found \(found)")
  }

  /// The column, from 1, of the character at a byte.
  private func column(of offset: Int) -> Int {
    String(decoding: bytes[..<min(offset, bytes.count)], as: UTF8.self).count + 1
  }
}

extension JSONPredicate {
  /// The regular expression `pattern`, compared scalar by scalar.
  /// - Throws: `JSONError.pattern` for one that cannot be read, or that is longer than
  ///   `maximumPattern`.
  package static func regex(_ pattern: String) throws(JSONError) -> Regex<AnyRegexOutput> {
    guard pattern.count <= maximumPattern else {
      throw .pattern(
        String(pattern.prefix(40)) + "…", reason: "it has more than \(maximumPattern) characters")
    }
    do {
      return try Regex(pattern).matchingSemantics(.unicodeScalar)
    } catch {
      throw .pattern(pattern, reason: place(of: error, in: pattern) + "\(error)")
    }
  }

  /// Where in a pattern its parser stumbled, which it tells nobody but who looks into its error.
  private static func place(of error: any Error, in pattern: String) -> String {
    guard
      let range = Mirror(reflecting: error).descendant("location", "range") as? Range<String.Index>,
      range.lowerBound <= pattern.endIndex
    else { return "" }
    return "at character \(pattern[..<range.lowerBound].count + 1), "
  }
}

extension JSONError {
  /// What is wrong, without the byte where.
  fileprivate var reason: String {
    switch self {
    case .syntax(_, let expected, let found): "expected \(expected), found \(found)"
    case .text(_, let reason): reason
    case .tooDeep, .tooLong, .duplicateKey, .pointer, .nothingAt, .notAPatch, .patch, .predicate,
      .pattern, .subject:
      "\(self)"
    }
  }
}
