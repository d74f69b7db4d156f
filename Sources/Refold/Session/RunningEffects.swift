/// The effects of a session that go on, in the order in which that became durable.
struct RunningEffects {
  private var numbers: [ObjectIdentifier: Int] = [:]
  private var runs: [Int: EffectRun] = [:]
  private var next = 0

  var isEmpty: Bool { runs.isEmpty }

  /// - Complexity: O(n log n).
  var all: [EffectRun] { runs.sorted { $0.key < $1.key }.map(\.value) }

  mutating func insert(_ run: EffectRun) {
    next += 1
    numbers[ObjectIdentifier(run)] = next
    runs[next] = run
  }

  mutating func remove(_ run: EffectRun) {
    if let number = numbers.removeValue(forKey: ObjectIdentifier(run)) { runs[number] = nil }
  }

  mutating func removeAll() { (numbers, runs) = ([:], [:]) }
}
