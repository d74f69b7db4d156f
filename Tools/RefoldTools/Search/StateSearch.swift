import EventStoreCore
import JSONTree
import Refold

/// Looks through what each event changes in the state: new values whole, of a string that grew into
/// another the part that is new.
struct StateSearch<R: Reactor> {
  /// Where a match was found, and what.
  struct Match {
    let pointer: JSONPointer
    let text: String
  }

  private let pattern: TextPattern
  private var former = IndexedJSON()
  private var current = IndexedJSON()
  private var state: JSONValue

  /// A search that goes on from `fold`.
  init(_ pattern: TextPattern, from fold: Fold<R>) throws {
    self.pattern = pattern
    try former.read { try fold.encodeState(into: &$0) }
    state = try JSONValue(parsing: former.bytes)
  }

  /// The first match in what the last event of `fold` changed, nil where there is none.
  mutating func look(at fold: Fold<R>) throws -> Match? {
    guard try current.read(after: former, { try fold.encodeState(into: &$0) }) else {
      return nil
    }
    defer { swap(&former, &current) }
    var match: Match?
    for operation in JSONPatch(from: former, to: current).operations {
      if match == nil { match = firstMatch(in: operation) }
      try state.apply(operation)
    }
    return match
  }

  /// The first match in what `operation` brings to `state`.
  private func firstMatch(in operation: JSONPatch.Operation) -> Match? {
    switch operation {
    case .add(let place, let value): firstMatch(in: value, at: place)
    case .replace(let place, let value): firstMatch(in: value, at: place, instead: state[place])
    case .remove, .move, .copy, .test: nil
    }
  }

  private func firstMatch(
    in value: JSONValue, at place: JSONPointer, instead old: JSONValue? = nil
  ) -> Match? {
    let text: String? =
      switch (value, old) {
      case (.string(let text), .string(let old)?):
        pattern.firstMatch(in: Self.news(in: text, since: old, reach: pattern.reach))
      case (.string(let text), _): pattern.firstMatch(in: text)
      case (.null, _), (.bool, _), (.number, _): pattern.firstMatch(in: value.description)
      case (.array, _), (.object, _): nil
      }
    if let text { return Match(pointer: place, text: text) }
    switch value {
    case .array(let elements):
      return elements.indices.lazy.compactMap {
        firstMatch(in: elements[$0], at: place.appending($0))
      }.first
    case .object(let object):
      return object.members.lazy.compactMap { member in
        let child = place.appending(member.key)
        return pattern.firstMatch(in: member.key).map { Match(pointer: child, text: $0) }
          ?? firstMatch(in: member.value, at: child)
      }.first
    case .null, .bool, .number, .string: return nil
    }
  }

  /// The part of `text` that `old` has not, and `reach` bytes on either side.
  private static func news(in text: String, since old: String, reach: Int) -> String {
    var (text, old) = (text, old)
    return text.withUTF8 { new in
      old.withUTF8 { former in
        let (new, former) = (UnsafeRawBufferPointer(new), UnsafeRawBufferPointer(former))
        let start = CommonBytes.prefix(new, former)
        let rest = CommonBytes.suffix(new, former, behind: start)
        let part = max(0, start - reach)..<min(new.count, new.count - rest + reach)
        return String(decoding: new[part], as: UTF8.self)
      }
    }
  }
}
