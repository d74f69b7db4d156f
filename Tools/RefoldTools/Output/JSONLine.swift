import EventStoreCore
import JSONTree
import Refold

/// One JSON object on one line, written member by member in the order of the calls.
struct JSONLine {
  private var bytes: [UInt8]
  private var isEmpty = true

  /// A line of its own.
  init() {
    bytes = []
    bytes.reserveCapacity(128)
    bytes.append(UInt8(ascii: "{"))
  }

  /// Appends the line that `body` makes to `text`, which stays as it was where that throws.
  static func append(
    to text: inout [UInt8], _ body: (inout JSONLine) throws -> Void
  ) rethrows {
    let start = text.count
    var line = JSONLine(behind: &text)
    defer { swap(&line.bytes, &text) }
    do {
      try body(&line)
    } catch {
      line.bytes.removeSubrange(start...)
      throw error
    }
    line.finish()
  }

  /// A line in the memory of `text`, which is empty meanwhile.
  private init(behind text: inout [UInt8]) {
    bytes = []
    swap(&bytes, &text)
    bytes.append(UInt8(ascii: "{"))
  }

  /// The object, closed, with a line feed.
  consuming func finished() -> [UInt8] {
    finish()
    return bytes
  }

  private mutating func finish() {
    bytes.append(UInt8(ascii: "}"))
    bytes.append(UInt8(ascii: "\n"))
  }
}

extension JSONLine {
  /// A member whose value is JSON already.
  mutating func member(_ name: StaticString, json value: some Collection<UInt8>) {
    key(name)
    bytes.append(contentsOf: value)
  }

  /// A member whose value is JSON already.
  mutating func member(_ name: StaticString, json value: RawSpan) {
    key(name)
    value.withUnsafeBytes { value in
      // No line that was accepted holds these; a store that somebody altered may.
      if JSONText.containsControl(value),
        value.contains(where: { $0 < 0x20 && $0 != 0x09 && $0 != 0x0D })
      {
        JSONText.append(String(decoding: value, as: UTF8.self), to: &bytes)
      } else {
        bytes.append(contentsOf: value)
      }
    }
  }

  /// A member whose value is the JSON that `body` appends.
  mutating func member(
    _ name: StaticString, writing body: (inout [UInt8]) throws -> Void
  ) rethrows {
    key(name)
    try body(&bytes)
  }

  mutating func member(_ name: StaticString, _ text: String) {
    key(name)
    JSONText.append(text, to: &bytes)
  }

  mutating func member(_ name: StaticString, _ number: Int) {
    key(name)
    bytes.append(decimal: number)
  }

  mutating func member(_ name: StaticString, _ number: Int64) { member(name, Int(number)) }

  mutating func member(_ name: StaticString, _ seq: Seq) { member(name, Int(seq.rawValue)) }

  /// A time; its text holds nothing to escape.
  mutating func member(_ name: StaticString, _ time: Timestamp) {
    key(name)
    bytes.append(UInt8(ascii: "\""))
    time.append(to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func key(_ name: StaticString) {
    if !isEmpty { bytes.append(UInt8(ascii: ",")) }
    isEmpty = false
    bytes.append(UInt8(ascii: "\""))
    bytes.append(literal: name)
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }
}

extension JSONLine {
  /// The array of `seqs`.
  static func list(_ seqs: [Seq]) -> [UInt8] {
    Array("[\(seqs.map(\.description).joined(separator: ","))]".utf8)
  }

  /// The array of `texts`.
  static func list(of texts: [String]) -> [UInt8] {
    var bytes = [UInt8(ascii: "[")]
    for (index, text) in texts.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      JSONText.append(text, to: &bytes)
    }
    return bytes + [UInt8(ascii: "]")]
  }

  /// The line of one event; `session` where several are mixed.
  static func event(
    _ header: EventHeader, _ payload: RawSpan, session: String? = nil
  ) -> JSONLine {
    var line = JSONLine()
    line.add(header, payload, session: session)
    return line
  }

  /// Appends the line of one event to `text`; `session` where several are mixed.
  static func append(
    _ header: EventHeader, _ payload: RawSpan, session: String? = nil, to text: inout [UInt8]
  ) {
    append(to: &text) { $0.add(header, payload, session: session) }
  }

  private mutating func add(_ header: EventHeader, _ payload: RawSpan, session: String?) {
    if let session { member("session", session) }
    member("seq", header.seq)
    member("kind", header.kind.name)
    member("cause", header.cause)
    member("at", header.recordedAt)
    member("payload", json: payload)
  }
}
