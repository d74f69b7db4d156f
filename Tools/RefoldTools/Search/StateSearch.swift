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
  private var bytes: [UInt8]?
  private var state: JSONValue

  /// A search that goes on from `fold`.
  init(_ pattern: TextPattern, from fold: Fold<R>) throws {
    self.pattern = pattern
    bytes = try fold.encodedState(at: JSONPointer())
    state = try bytes.map { try JSONValue(parsing: $0) } ?? .null
  }

  /// The first match in what the last event of `fold` changed, nil where there is none.
  mutating func look(at fold: Fold<R>) throws -> Match? {
    let bytes = try fold.encodedState(at: JSONPointer())
    guard bytes != self.bytes else { return nil }
    let new = try bytes.map { try JSONValue(parsing: $0) } ?? .null
    let patch = JSONPatch(from: state, to: new)
    defer { (self.bytes, state) = (bytes, new) }
    for operation in patch.operations {
      defer { try? state.apply(operation) }
      switch operation {
      case .add(let place, let value):
        if let match = firstMatch(in: value, at: place) { return match }
      case .replace(let place, let value):
        if let match = firstMatch(in: value, at: place, instead: state[place]) { return match }
      case .remove, .move, .copy, .test: break
      }
    }
    return nil
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
    let (new, former) = (Array(text.utf8), Array(old.utf8))
    let shorter = min(new.count, former.count)
    var start = 0
    while start < shorter, new[start] == former[start] { start += 1 }
    var rest = 0
    while rest < shorter - start, new[new.count - 1 - rest] == former[former.count - 1 - rest] {
      rest += 1
    }
    let part = max(0, start - reach)..<min(new.count, new.count - rest + reach)
    return String(decoding: new[part], as: UTF8.self)
  }
}
