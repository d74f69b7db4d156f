/// What two arrays have in common: a longest common subsequence, found with Myers' greedy algorithm
/// (An O(ND) Difference Algorithm and Its Variations, 1986), which is quick where few edits lead
/// from one to the other, and gives up where many do.
struct JSONAlignment {
  /// The indices of common elements in both arrays, rising in both.
  let common: [(Int, Int)]

  /// Aligns two stretches of arrays, or gives nil where that takes more than `mostEdits` insertions
  /// and deletions.
  /// - Complexity: O((n + m) × `mostEdits`) comparisons of numbers, O(`mostEdits`²) memory.
  init?(_ old: ArraySlice<JSONValue>, _ new: ArraySlice<JSONValue>, mostEdits: Int) {
    guard !old.isEmpty, !new.isEmpty else {
      common = []
      return
    }
    let (olds, news) = Self.identities(old, new)
    guard let steps = Self.furthestPoints(olds, news, mostEdits: mostEdits) else { return nil }
    common = Self.matches(olds.count, news.count, steps)
      .map { ($0.0 + old.startIndex, $0.1 + new.startIndex) }
  }

  /// A small number for each distinct value, so that aligning compares numbers, not trees.
  private static func identities(
    _ old: ArraySlice<JSONValue>, _ new: ArraySlice<JSONValue>
  ) -> ([Int], [Int]) {
    var known: [JSONValue: Int] = [:]
    func identity(_ value: JSONValue) -> Int {
      let next = known.count
      if let identity = known[value] { return identity }
      known[value] = next
      return next
    }
    return (old.map(identity), new.map(identity))
  }

  /// For each number of edits, how far into `old` they can lead on each diagonal; diagonal k is
  /// where `k` more elements of `old` than of `new` are behind. Ends where both arrays do.
  private static func furthestPoints(_ old: [Int], _ new: [Int], mostEdits: Int) -> [[Int]]? {
    var steps: [[Int]] = []
    for edits in 0...min(mostEdits, old.count + new.count) {
      var points: [Int] = []
      points.reserveCapacity(edits + 1)
      for diagonal in stride(from: -edits, through: edits, by: 2) {
        var one = start(of: diagonal, edits, after: steps.last ?? [])
        while one < old.count, one - diagonal < new.count, old[one] == new[one - diagonal] {
          one += 1
        }
        points.append(one)
        if one >= old.count, one - diagonal >= new.count { return steps + [points] }
      }
      steps.append(points)
    }
    return nil
  }

  /// Where the last of so many edits leads to on a diagonal: an insertion from the diagonal above,
  /// or a deletion from the one below, whichever is further. `points` holds every second diagonal.
  private static func start(of diagonal: Int, _ edits: Int, after points: [Int]) -> Int {
    guard edits > 0 else { return 0 }
    let above = (diagonal + edits) / 2
    let inserted = above < points.count ? points[above] : -1
    let deleted = above > 0 ? points[above - 1] + 1 : -1
    return max(inserted, deleted)
  }

  /// The common elements on the way back from the end through the furthest points.
  private static func matches(_ oldCount: Int, _ newCount: Int, _ steps: [[Int]]) -> [(Int, Int)] {
    var matches: [(Int, Int)] = []
    var (one, diagonal) = (oldCount, oldCount - newCount)
    for edits in steps.indices.reversed() {
      let points = edits > 0 ? steps[edits - 1] : []
      let begin = start(of: diagonal, edits, after: points)
      while one > begin {
        one -= 1
        matches.append((one, one - diagonal))
      }
      let above = (diagonal + edits) / 2
      let wasDeleted = above > 0 && points[above - 1] + 1 == begin
      one = wasDeleted ? begin - 1 : begin
      diagonal += wasDeleted ? -1 : 1
    }
    return matches.reversed()
  }
}
