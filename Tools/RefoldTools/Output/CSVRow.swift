import EventStoreCore
import JSONTree

/// One row of comma-separated values (RFC 4180), ended by a line feed.
struct CSVRow {
  private var bytes: [UInt8]
  private var isEmpty = true

  /// Appends the row that `body` makes to `rows`.
  static func append(to rows: inout [UInt8], _ body: (inout CSVRow) -> Void) {
    var row = CSVRow(bytes: [])
    swap(&row.bytes, &rows)
    body(&row)
    row.bytes.append(UInt8(ascii: "\n"))
    swap(&row.bytes, &rows)
  }

  /// Adds a field as it is, in quotation marks where it needs them.
  mutating func add(_ text: some Collection<UInt8>) {
    separate()
    guard text.contains(where: Self.mustQuote) else {
      bytes.append(contentsOf: text)
      return
    }
    bytes.append(UInt8(ascii: "\""))
    for byte in text {
      if byte == UInt8(ascii: "\"") { bytes.append(byte) }
      bytes.append(byte)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Adds what lies at a place of a state: a string as its text, nothing and null as nothing, any
  /// other value as JSON.
  mutating func add(value: JSONValue?) {
    switch value {
    case nil, .null?: add([])
    case .string(let text)?: add(Self.harmless(text).utf8)
    case .bool?, .number?, .array?, .object?: add(value?.serialized ?? [])
    }
  }

  /// Adds a number.
  mutating func add(_ number: Int) {
    separate()
    bytes.append(decimal: number)
  }

  /// Adds a time.
  mutating func add(_ time: Timestamp) {
    separate()
    time.append(to: &bytes)
  }

  private mutating func separate() {
    if !isEmpty { bytes.append(UInt8(ascii: ",")) }
    isEmpty = false
  }

  /// A text that a spreadsheet does not take for a formula: an apostrophe makes it text.
  private static func harmless(_ text: String) -> String {
    guard let first = text.utf8.first, "=+-@\t\r".utf8.contains(first) else { return text }
    return "'" + text
  }

  private static func mustQuote(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || byte == UInt8(ascii: ",") || byte == 0x0A || byte == 0x0D
  }
}
