import JSONTree
import Refold

/// How two values differ, for people: each place, the old value on a line with `-`, the new with `+`.
///
///     /items/0/title
///     - "Tea"
///     + "Coffee"
///
/// An item of a list that only moved is a line with both places: `/items/3 -> /items/0`.
struct ValueDiff {
  /// One place that differs; a side that has nothing there is nil.
  struct Difference {
    let pointer: JSONPointer
    let old: JSONValue?
    let new: JSONValue?
    /// Where what is there now was before, for an item of a list that moved.
    var source: JSONPointer?
  }

  let differences: [Difference]

  init(_ differences: [Difference]) { self.differences = differences }

  /// How `new` differs from `old`.
  init(from old: JSONValue, to new: JSONValue) {
    var document = old
    differences = JSONPatch(from: old, to: new).operations.map { operation in
      defer { try? document.apply(operation) }
      switch operation {
      case .add(let path, let value): return Difference(pointer: path, old: nil, new: value)
      case .remove(let path): return Difference(pointer: path, old: document[path], new: nil)
      case .replace(let path, let value), .test(let path, let value):
        return Difference(pointer: path, old: document[path], new: value)
      case .move(let source, let path), .copy(let source, let path):
        return Difference(pointer: path, old: nil, new: nil, source: source)
      }
    }
  }

  var isEmpty: Bool { differences.isEmpty }

  /// The differences, indented, at most `mostShown` of them.
  var text: String {
    var blocks = differences.prefix(Self.mostShown).map(Self.text)
    if differences.count > Self.mostShown {
      blocks.append("  … and \(differences.count - Self.mostShown) places more")
    }
    return blocks.joined(separator: "\n\n")
  }

  private static let mostShown = 20
  private static let mostCharacters = 240
  private static let context = 40

  private static func text(_ difference: Difference) -> String {
    let (old, new) = (difference.old?.description, difference.new?.description)
    var start = 0
    if let old, let new, max(old.count, new.count) > mostCharacters {
      let common = zip(old, new).prefix { $0 == $1 }.count
      start = max(0, common - context)
    }
    let target = difference.pointer.isRoot ? "(all)" : "\(difference.pointer)"
    let place = difference.source.map { "\($0) -> \(target)" } ?? target
    let lines = [old.map { "- " + cut($0, from: start) }, new.map { "+ " + cut($0, from: start) }]
    return ([place] + lines.compactMap { $0 }).map { "  " + $0 }.joined(separator: "\n")
  }

  /// The part of `text` in which a long value differs from its counterpart.
  private static func cut(_ text: String, from start: Int) -> String {
    guard start > 0 || text.count > mostCharacters else { return text }
    let part = text.dropFirst(start)
    return (start > 0 ? "…" : "") + part.prefix(mostCharacters)
      + (part.count > mostCharacters ? "…" : "")
  }
}

extension JSONValue {
  /// What the codec makes of `value`. Comparing that spares types from being Equatable.
  init(encoding value: some Encodable) throws {
    self = try JSONValue(parsing: try EventCodec().encode(value))
  }
}
