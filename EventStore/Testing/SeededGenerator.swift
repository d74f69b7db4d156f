/// Random numbers that a seed repeats: SplitMix64 (Steele, Lea and Flood, 2014).
///
/// For tests: a failure that prints its seed can be run again.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// A generator that gives the same numbers for the same `seed`.
  public init(seed: UInt64) { state = seed }

  /// The next 64 random bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
    return bits ^ (bits >> 31)
  }

  /// Whether something of probability `probability`, 0 to 1, happens.
  public mutating func chance(_ probability: Double) -> Bool {
    Double.random(in: 0..<1, using: &self) < probability
  }

  /// A number from 0 up to, not including, `bound`, which is at least 1.
  public mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

  /// One of `choices`, of which there is at least one.
  public mutating func pick<T>(_ choices: [T]) -> T { choices[below(choices.count)] }
}
