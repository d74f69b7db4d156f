extension JSONPatch {
  /// A short patch that turns `old` into `new`: applying it to `old` gives a value equal to `new`.
  ///
  /// Objects are compared key by key, in the order of the keys' bytes. Arrays keep their common
  /// beginning and end. What lies between are items where each is an object with an `id`, a string or
  /// a number, of its own: they are matched by it, so that one which went elsewhere is a `move`, and
  /// what changed in it a `replace` behind that. An order in which more than `mostEdits` items were
  /// moved is replaced whole, and so is an array that was emptied.
  ///
  /// Other elements are aligned by a longest common subsequence where it takes at most `mostEdits`
  /// insertions and deletions, and position by position elsewhere. Values that are at the same place
  /// in both are compared inside, so that a changed field is one `replace`.
  ///
  /// An object that holds a key twice is replaced whole where it differs: no pointer leads to the
  /// first of two members.
  /// - Complexity: O(n log n) in the size of the documents for each level that they differ at, and
  ///   for each array of n elements that differs at most n × `mostEdits` comparisons of numbers.
  public init(from old: JSONValue, to new: JSONValue) {
    var diff = JSONDiff()
    diff.compare(old, new, at: JSONPointer())
    operations = diff.operations
  }

  /// The most insertions and deletions for which two arrays are aligned, and the most moves that are
  /// told one by one. Aligning takes time in proportion to them; arrays that differ in more are as
  /// good as rewritten.
  public static let mostEdits = 512
}

/// Collects the operations that lead from one value to another.
struct JSONDiff {
  var operations: [JSONPatch.Operation] = []

  mutating func compare(_ old: JSONValue, _ new: JSONValue, at place: JSONPointer) {
    switch (old, new) {
    case (.object(let old), .object(let new)): compare(old, new, at: place)
    case (.array(let old), .array(let new)):
      if new.isEmpty, old.count > 1 { return operations.append(.replace(place, .array([]))) }
      compare(old, new, at: place, from: 0) { new }
    case (_, _): if old != new { operations.append(.replace(place, new)) }
    }
  }

  private mutating func compare(_ old: JSONObject, _ new: JSONObject, at place: JSONPointer) {
    let (olds, news) = (old.sortedMembers, new.sortedMembers)
    guard Self.haveDistinctKeys(olds), Self.haveDistinctKeys(news) else {
      if old != new { operations.append(.replace(place, .object(new))) }
      return
    }
    var (one, other) = (olds[...], news[...])
    while let old = one.first, let new = other.first {
      let order = JSONText.compare(old.key, new.key)
      if order < 0 { operations.append(.remove(place.appending(old.key))) }
      if order > 0 { operations.append(.add(place.appending(new.key), new.value)) }
      if order == 0 { compare(old.value, new.value, at: place.appending(old.key)) }
      if order <= 0 { one.removeFirst() }
      if order >= 0 { other.removeFirst() }
    }
    for old in one { operations.append(.remove(place.appending(old.key))) }
    for new in other { operations.append(.add(place.appending(new.key), new.value)) }
  }

  private static func haveDistinctKeys(_ sorted: [JSONObject.Member]) -> Bool {
    zip(sorted, sorted.dropFirst()).allSatisfy { !JSONText.equal($0.key, $1.key) }
  }
}

extension JSONDiff {
  /// Compares what two arrays have from the index `offset` on, up to where they are the same again.
  ///
  /// - Parameter whole: the new array.
  mutating func compare(
    _ old: [JSONValue], _ new: [JSONValue], at place: JSONPointer, from offset: Int,
    whole: () -> [JSONValue]
  ) {
    let shorter = min(old.count, new.count)
    let prefix = zip(old, new).prefix { $0 == $1 }.count
    let suffix = zip(old.reversed(), new.reversed()).prefix(shorter - prefix).prefix { $0 == $1 }
      .count
    let olds = old[prefix..<old.count - suffix]
    let news = new[prefix..<new.count - suffix]
    if let matching = JSONItemMatching(olds, news) {
      guard matching.moves <= JSONPatch.mostEdits else {
        return operations.append(.replace(place, .array(whole())))
      }
      return compare(old, new, by: matching, at: place, from: offset)
    }
    var position = offset + prefix
    let common = JSONAlignment(olds, news, mostEdits: JSONPatch.mostEdits)?.common ?? []
    var (one, other) = (olds.startIndex, news.startIndex)
    for match in common + [(olds.endIndex, news.endIndex)] {
      position = compare(olds[one..<match.0], news[other..<match.1], at: place, position)
      (one, other) = (match.0 + 1, match.1 + 1)
    }
  }

  /// Removes, moves and adds items, then compares those that are in both, at their new places.
  private mutating func compare(
    _ old: [JSONValue], _ new: [JSONValue], by matching: JSONItemMatching, at place: JSONPointer,
    from offset: Int
  ) {
    for removed in matching.removals {
      operations.append(.remove(place.appending(offset + removed)))
    }
    // The common beginning is the same in both, so that steps count from where both differ.
    let start = offset + matching.start
    for step in matching.steps {
      switch step {
      case .add(let item, let to):
        operations.append(.add(place.appending(start + to), new[item]))
      case .move(let from, let to) where from != to:
        operations.append(
          .move(from: place.appending(start + from), to: place.appending(start + to)))
      case .move: break
      }
    }
    for item in matching.kept {
      compare(old[item.old], new[item.new], at: place.appending(offset + item.new))
    }
  }

  /// Turns the elements `old`, which begin at `position`, into `new`, position by position; what is
  /// left over is removed or added.
  /// - Returns: the position after them and the common element that follows.
  private mutating func compare(
    _ old: ArraySlice<JSONValue>, _ new: ArraySlice<JSONValue>, at place: JSONPointer,
    _ position: Int
  ) -> Int {
    let common = min(old.count, new.count)
    for (offset, (old, new)) in zip(old, new).enumerated() {
      compare(old, new, at: place.appending(position + offset))
    }
    // From the end, so that each removal leaves the places of the others as they are.
    for offset in (common..<old.count).reversed() {
      operations.append(.remove(place.appending(position + offset)))
    }
    for (offset, new) in new.enumerated().dropFirst(common) {
      operations.append(.add(place.appending(position + offset), new))
    }
    return position + new.count + 1
  }
}
