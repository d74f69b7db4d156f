import EventStoreCore
import JSONTree
import Refold

/// One JSON object on one line, written member by member in the order of the calls.
struct JSONLine {
  private var bytes = [UInt8(ascii: "{")]

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
      if value.contains(where: { $0 < 0x20 && $0 != 0x09 && $0 != 0x0D }) {
        let text = String(decoding: value, as: UTF8.self)
        bytes.append(contentsOf: JSONValue.string(text).serialized)
      } else {
        bytes.append(contentsOf: value)
      }
    }
  }

  mutating func member(_ name: StaticString, _ text: String) {
    key(name)
    bytes.append(contentsOf: JSONValue.string(text).serialized)
  }

  mutating func member(_ name: StaticString, _ number: some BinaryInteger) {
    key(name)
    bytes.append(contentsOf: String(number).utf8)
  }

  mutating func member(_ name: StaticString, _ seq: Seq) { member(name, seq.rawValue) }

  /// A time; its text holds nothing to escape.
  mutating func member(_ name: StaticString, _ time: Timestamp) {
    key(name)
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: time.description.utf8)
    bytes.append(UInt8(ascii: "\""))
  }

  /// The object, closed, with a line feed.
  consuming func finished() -> [UInt8] {
    bytes.append(UInt8(ascii: "}"))
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }

  private mutating func key(_ name: StaticString) {
    if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
    bytes.append(UInt8(ascii: "\""))
    name.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }
}

extension JSONLine {
  /// The array of `seqs`.
  static func list(_ seqs: [Seq]) -> [UInt8] {
    Array("[\(seqs.map(\.description).joined(separator: ","))]".utf8)
  }

  /// The line of one event; `session` where several are mixed.
  static func event(
    _ header: EventHeader, _ payload: RawSpan, session: String? = nil
  ) -> JSONLine {
    var line = JSONLine()
    if let session { line.member("session", session) }
    line.member("seq", header.seq)
    line.member("kind", header.kind.name)
    line.member("cause", header.cause)
    line.member("at", header.recordedAt)
    line.member("payload", json: payload)
    return line
  }
}
