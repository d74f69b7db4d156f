import EventStoreCore
import JSONTree

/// The parts of a page that list the events, a line each: kind, cause, microseconds since the event
/// before, and the payload; or, for one that was left out, `!`, its length, and its name.
///
///     a 0 1796041000555402 {"increase":{"by":2}}
///     m 1 0 !14 add
struct PageEvents {
  /// How many bytes of payloads the parts have so far.
  private(set) var payloadBytes = 0
  private let limits: PageCapacity
  private var part: [UInt8] = []
  private var time: Int64 = 0

  /// Bytes of a part. A browser keeps each as one string, in twice the memory where one character
  /// of it is beyond Latin 1.
  private static let partBytes = 256 << 10

  /// An empty list.
  init(_ limits: PageCapacity) { self.limits = limits }

  /// Adds an event, and hands a part that is full to `write`.
  mutating func append(
    _ header: EventHeader, _ payload: RawSpan, keepsPayload: Bool, _ write: ([UInt8]) -> Void
  ) {
    if part.isEmpty {
      part.append(contentsOf: "<script type=\"text/plain\" data-part=\"events\">\n".utf8)
    }
    let (at, cause) = (header.recordedAt.microseconds, header.cause)
    part.append(contentsOf: "\(Self.letter(of: header.kind)) \(cause) \(at &- time) ".utf8)
    time = at
    payload.withUnsafeBytes { bytes in
      if keepsPayload, bytes.count <= limits.onePayloadBytes {
        append(whole: bytes)
      } else {
        let name = Printable.cut(Self.name(in: bytes), to: 60)
        part.append(contentsOf: "!\(bytes.count) ".utf8)
        PageText.append(name.utf8, to: &part)
      }
    }
    part.append(UInt8(ascii: "\n"))
    if part.count >= Self.partBytes { finish(write) }
  }

  /// Hands what is left to `write`.
  mutating func finish(_ write: ([UInt8]) -> Void) {
    if part.isEmpty { return }
    part.append(contentsOf: "</script>\n".utf8)
    write(part)
    part.removeAll(keepingCapacity: true)
  }

  private mutating func append(whole bytes: UnsafeRawBufferPointer) {
    payloadBytes += bytes.count
    // No line that was accepted holds these; a store that somebody altered may.
    if bytes.contains(where: { $0 < 0x20 && $0 != 0x09 && $0 != 0x0D }) {
      let text = String(decoding: bytes, as: UTF8.self)
      PageText.append(JSONValue.string(text).serialized, to: &part)
    } else {
      PageText.append(bytes, to: &part)
    }
  }

  /// What an action or a mutation is called: the key of an object with one, or the string.
  private static func name(in payload: UnsafeRawBufferPointer) -> String {
    let letters = payload.prefix(256).drop { $0 != UInt8(ascii: "\"") }.dropFirst()
    let name = letters.prefix { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    return Printable.line(name)
  }

  private static func letter(of kind: EventKind) -> String {
    switch kind {
    case .action: "a"
    case .mutation: "m"
    case .pending: "p"
    case .completed: "d"
    case .cancelled: "c"
    case .failed: "f"
    }
  }
}
