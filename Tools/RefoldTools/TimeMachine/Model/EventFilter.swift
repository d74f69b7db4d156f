import EventStoreCore

/// Which events are listed: all, or those that a line of words asks for.
///
/// A word that is a kind allows events of that kind, `@12` the event 12 and what it caused, and any
/// other word must stand in the payload.
struct EventFilter: Hashable, Sendable {
  /// The words as they were typed.
  let text: String
  private let kinds: Set<EventKind>
  private let cause: Seq?
  private let patterns: [SearchPattern]

  /// Everything.
  static let all = EventFilter("")

  /// The filter that `text` describes.
  init(_ text: String) {
    self.text = text
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    kinds = Set(words.compactMap(Self.kind))
    let causes = words.filter { $0.hasPrefix("@") }.compactMap { UInt32($0.dropFirst()) }
    cause = causes.last.map { Seq($0) }
    patterns = words.filter {
      Self.kind($0) == nil && !($0.hasPrefix("@") && UInt32($0.dropFirst()) != nil)
    }.compactMap(SearchPattern.init)
  }

  /// Whether every event passes.
  var isAll: Bool { kinds.isEmpty && cause == nil && patterns.isEmpty }

  /// Whether an event passes.
  func passes(_ header: EventHeader, _ payload: RawSpan) -> Bool {
    if !kinds.isEmpty, !kinds.contains(header.kind) { return false }
    if let cause, header.cause != cause, header.seq != cause { return false }
    if patterns.isEmpty { return true }
    return payload.withUnsafeBytes { bytes in patterns.allSatisfy { $0.matches(bytes) } }
  }

  /// `action` and `actions` are both the kind.
  private static func kind(_ word: String) -> EventKind? {
    let word = word.lowercased()
    return EventKind(name: word) ?? (word.hasSuffix("s") ? EventKind(name: word.dropLast()) : nil)
  }
}
