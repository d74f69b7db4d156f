import EventStoreCore
import JSONTree

/// An event as the list shows it: its header, and the begin of its payload made fit for a terminal.
struct EventRow: Hashable, Sendable {
  /// So much of a payload is kept, in bytes.
  static let payloadLimit = 1024

  let header: EventHeader
  /// The case of the action or mutation; empty where the payload has none, or is too long to tell.
  let name: String
  /// The rest of the payload, on one line.
  let details: String

  var seq: Seq { header.seq }
  var kind: EventKind { header.kind }

  init(_ header: EventHeader, _ payload: RawSpan) {
    self.header = header
    (name, details) = payload.withUnsafeBytes(Self.split)
  }

  private static func split(_ payload: UnsafeRawBufferPointer) -> (String, String) {
    if payload.count > payloadLimit {
      return splitLong(payload)
    }
    let bytes = Array(payload)
    var index = JSONIndex()
    guard (try? index.parse(bytes.span.bytes)) != nil else { return ("", Printable.line(bytes)) }
    return bytes.withUnsafeBytes { split($0, index) }
  }

  /// `{"increase":{"by":2}}` is `increase` and `{"by":2}`; `{"add":{"_0":2}}` is `add` and `2`.
  private static func split(
    _ bytes: UnsafeRawBufferPointer, _ index: JSONIndex
  ) -> (String, String) {
    let whole = Printable.line(bytes)
    switch index.nodes[0].kind {
    case .string: return (Printable.line(index.string(at: 0, in: bytes)), "")
    case .object:
      guard index.count(of: 0) == 1 else { return ("", whole) }
      let name = Printable.line(index.string(at: 1, in: bytes))
      let value = index.nodes[2]
      guard value.kind == .object else { return (name, Printable.line(bytes[value.range])) }
      switch index.count(of: 2) {
      case 0: return (name, "")
      case 1 where index.string(at: 3, in: bytes) == "_0":
        return (name, Printable.line(bytes[index.nodes[4].range]))
      default: return (name, Printable.line(bytes[value.range]))
      }
    case .null, .false, .true, .number, .array: return ("", whole)
    }
  }

  /// A long payload by its begin: `{"name":` is enough to tell the case.
  private static func splitLong(_ payload: UnsafeRawBufferPointer) -> (String, String) {
    let begin = payload.prefix(payloadLimit)
    let text = Printable.line(begin.starts(with: Array("{\"".utf8)) ? begin.dropFirst(2) : begin)
    guard begin.starts(with: Array("{\"".utf8)), let quote = text.firstIndex(of: "\""),
      text[quote...].hasPrefix("\":"), !text[..<quote].contains("\\")
    else { return ("", Printable.line(begin) + "…") }
    return (String(text[..<quote]), String(text[quote...].dropFirst(2)) + "…")
  }
}
