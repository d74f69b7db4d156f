import EventStoreCore

/// Where the actions of a log are in another one that was made of it. They are in the same order, so
/// it is enough to know where the distance changes.
struct Renumbering {
  private var steps: [(old: Int, distance: Int)] = []

  /// Notes the next action. Actions that were not noted are at the distance of the one before.
  mutating func note(_ old: Seq, is new: Seq) {
    let distance = old.distance(to: new)
    if distance != steps.last?.distance ?? 0 { steps.append((Int(old.rawValue), distance)) }
  }

  /// Where the action `old` is now.
  /// - Complexity: O(log n) in the changes of distance.
  func new(_ old: Seq) -> Seq {
    var (low, high) = (0, steps.count)
    while low < high {
      let middle = (low + high) / 2
      if steps[middle].old <= Int(old.rawValue) { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? old : old.advanced(by: steps[low - 1].distance) ?? old
  }
}
