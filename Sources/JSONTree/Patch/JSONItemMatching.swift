/// How items that have an `id` went from one array to another: which were removed, added, moved, and
/// which are the same item in both.
///
/// The fewest are moved: those that are not in a longest common order of the items that stay.
struct JSONItemMatching {
  /// The steps after the removals, in order.
  enum Step {
    /// The item of this index in `new` is inserted there.
    case add(item: Int, to: Int)
    /// An item is taken out at one place and inserted at another.
    case move(from: Int, to: Int)
  }

  /// Where both slices start; the places of steps count from here.
  let start: Int
  /// The indices of `old` to remove, the last first.
  let removals: [Int]
  /// What leads from there to the order of `new`.
  let steps: [Step]
  /// The items that are in both, as indices of `old` and `new`, in the order of `new`.
  let kept: [(old: Int, new: Int)]

  /// Matches the items of two stretches of arrays by their `id`s, or gives nil where any item has
  /// none, or shares it with another one. Indices are those of the slices.
  /// - Complexity: O((n + m) log (n + m)) for n and m items.
  init?(_ old: ArraySlice<JSONValue>, _ new: ArraySlice<JSONValue>) {
    guard !old.isEmpty, !new.isEmpty, let olds = Self.places(old), let news = Self.places(new)
    else { return nil }
    start = new.startIndex
    removals = olds.filter { news[$0.key] == nil }.map(\.value).sorted(by: >)
    let kept = olds.compactMap { id, place in news[id].map { (old: place, new: $0) } }
      .sorted { $0.new < $1.new }
    self.kept = kept
    let stays = Self.longestRise(kept.map(\.old))
    var track = ItemTrack(kept, stays, new.indices)
    var next = 0
    steps = new.indices.compactMap { place in
      guard next < kept.count, kept[next].new == place else {
        return .add(item: place, to: track.place(new: place))
      }
      next += 1
      guard !stays[next - 1] else { return nil }
      let from = track.takeOut(kept: next - 1)
      return .move(from: from, to: track.place(new: place))
    }
  }

  /// How many items are moved.
  var moves: Int {
    steps.count { if case .move = $0 { true } else { false } }
  }

  /// The place of each `id`.
  private static func places(_ items: ArraySlice<JSONValue>) -> [JSONValue: Int]? {
    var places: [JSONValue: Int] = [:]
    for (place, item) in zip(items.indices, items) {
      guard let id = id(of: item), places.updateValue(place, forKey: id) == nil else { return nil }
    }
    return places
  }

  private static func id(of item: JSONValue) -> JSONValue? {
    switch item["id"] {
    case .string(let text): .string(text)
    case .number(let number): .number(number)
    case .null, .bool, .array, .object, nil: nil
    }
  }

  /// Which of `numbers`, all different, belong to a longest rising subsequence (patience sorting).
  private static func longestRise(_ numbers: [Int]) -> [Bool] {
    var (tops, before): ([Int], [Int?]) = ([], [])
    for (index, number) in numbers.enumerated() {
      var (low, high) = (0, tops.count)
      while low < high {
        let middle = (low + high) / 2
        if numbers[tops[middle]] < number { low = middle + 1 } else { high = middle }
      }
      before.append(low > 0 ? tops[low - 1] : nil)
      if low < tops.count { tops[low] = index } else { tops.append(index) }
    }
    var belongs = [Bool](repeating: false, count: numbers.count)
    var next = tops.last
    while let index = next { (belongs[index], next) = (true, before[index]) }
    return belongs
  }
}

/// Where the items stand while they are moved and added one by one.
///
/// Between two items that stay, those that came already stand before those that will still go. So
/// every item has one slot for before and one for after, in an order that never changes, and its
/// index is how many slots before it are taken.
private struct ItemTrack {
  /// For each kept item the slot where it stands in the old order.
  private var oldSlots: [Int]
  private var newSlots: [Int]
  private let firstNew: Int
  private var taken: TallyTree

  init(_ kept: [(old: Int, new: Int)], _ stays: [Bool], _ new: Range<Int>) {
    firstNew = new.lowerBound
    oldSlots = Array(repeating: 0, count: kept.count)
    newSlots = Array(repeating: 0, count: new.count)
    let byOld = kept.indices.sorted { kept[$0].old < kept[$1].old }
    var (slot, old, next) = (0, 0, new.lowerBound)
    // The stretch before each item that stays, then that item; at last the stretch after all.
    for stay in kept.indices.filter({ stays[$0] }).map(Optional.some) + [nil] {
      let end = stay.map { kept[$0].new } ?? new.upperBound
      while next < end {
        newSlots[next - firstNew] = slot
        (slot, next) = (slot + 1, next + 1)
      }
      while old < byOld.count, byOld[old] != stay {
        oldSlots[byOld[old]] = slot
        (slot, old) = (slot + 1, old + 1)
      }
      guard let stay else { continue }
      (oldSlots[stay], newSlots[next - firstNew]) = (slot, slot)
      (slot, old, next) = (slot + 1, old + 1, next + 1)
    }
    taken = TallyTree(count: slot)
    for slot in oldSlots { taken.add(1, at: slot) }
  }

  /// Takes a kept item out of its old place.
  /// - Returns: its index there.
  mutating func takeOut(kept item: Int) -> Int {
    taken.add(-1, at: oldSlots[item])
    return taken.sum(before: oldSlots[item])
  }

  /// Puts an item where it belongs.
  /// - Returns: its index there.
  mutating func place(new item: Int) -> Int {
    let slot = newSlots[item - firstNew]
    taken.add(1, at: slot)
    return taken.sum(before: slot)
  }
}

/// Numbers of which the sum of the first n is quick to tell (a Fenwick tree).
private struct TallyTree {
  private var sums: [Int]

  init(count: Int) { sums = Array(repeating: 0, count: count + 1) }

  /// - Complexity: O(log n).
  mutating func add(_ amount: Int, at place: Int) {
    var node = place + 1
    while node < sums.count {
      sums[node] += amount
      node += node & -node
    }
  }

  /// - Complexity: O(log n).
  func sum(before place: Int) -> Int {
    var (node, sum) = (place, 0)
    while node > 0 {
      sum += sums[node]
      node -= node & -node
    }
    return sum
  }
}
