extension JSONValue {
  /// The value as compact JSON: digits and the order of members as they are, the fewest escapes.
  /// - Complexity: O(n) in the bytes.
  public var serialized: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }

  /// Appends the value as compact JSON.
  /// - Complexity: O(n) in the bytes.
  public func append(to bytes: inout [UInt8]) {
    var writer = JSONWriter(style: .compact, bytes: [])
    swap(&writer.bytes, &bytes)
    writer.write(self, level: 0)
    swap(&writer.bytes, &bytes)
  }

  /// The bytes that all equal values share: keys sorted by their UTF-8 bytes, numbers in the one
  /// text of their value, no whitespace, the fewest escapes.
  /// - Complexity: O(n log n) in the bytes.
  public var canonical: [UInt8] {
    var writer = JSONWriter(style: .canonical, bytes: [])
    writer.write(self, level: 0)
    return writer.bytes
  }

  /// The value for people: a line for each member and element, indented by two spaces, without a
  /// line break at the end. Empty arrays and objects stay on their line.
  /// - Complexity: O(n) in the bytes.
  public var prettyPrinted: String {
    var writer = JSONWriter(style: .pretty, bytes: [])
    writer.write(self, level: 0)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

/// Writes values recursively: as deep as the value, which a parse bounds.
private struct JSONWriter {
  enum Style {
    case compact
    case canonical
    case pretty
  }

  let style: Style
  var bytes: [UInt8]

  mutating func write(_ value: JSONValue, level: Int) {
    switch value {
    case .null: write("null")
    case .bool(let value): write(value ? "true" : "false")
    case .number(let number): write(style == .canonical ? number.canonicalText : number.text)
    case .string(let text): JSONText.append(text, to: &bytes)
    case .array(let elements): write(elements, level: level)
    case .object(let object):
      write(style == .canonical ? object.sortedMembers : object.members, level: level)
    }
  }

  private mutating func write(_ elements: [JSONValue], level: Int) {
    bytes.append(UInt8(ascii: "["))
    for (place, element) in elements.enumerated() {
      separate(place, level: level)
      write(element, level: level + 1)
    }
    if !elements.isEmpty { breakLine(level) }
    bytes.append(UInt8(ascii: "]"))
  }

  private mutating func write(_ members: [JSONObject.Member], level: Int) {
    bytes.append(UInt8(ascii: "{"))
    for (place, member) in members.enumerated() {
      separate(place, level: level)
      JSONText.append(member.key, to: &bytes)
      write(style == .pretty ? ": " : ":")
      write(member.value, level: level + 1)
    }
    if !members.isEmpty { breakLine(level) }
    bytes.append(UInt8(ascii: "}"))
  }

  private mutating func separate(_ place: Int, level: Int) {
    if place > 0 { bytes.append(UInt8(ascii: ",")) }
    breakLine(level + 1)
  }

  private mutating func breakLine(_ level: Int) {
    guard style == .pretty else { return }
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * level))
  }

  private mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }
}
