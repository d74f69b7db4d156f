import EventStoreCore
import EventStoreSQLite
import EventStoreTesting
import Testing

/// One bit of a file is another. With `--long` every bit of a store at rest is flipped in turn.
@Suite("A bit that flips", .timeLimit(.minutes(Trials.minutes(30))))
struct BitFlipTests {
  /// In two halves, the even bits and the odd ones, so that each has a processor.
  @Test(arguments: [0, 1])
  func in_a_store_at_rest_is_found_or_harmless(_ half: Int) async throws {
    let store = try SmallStore.closed(rounds: 1)
    try await flip(in: store, [""], half, inSuite: 450, "bits of a store at rest, half \(half + 1)")
  }

  @Test func in_the_wal_is_found_or_harmless_or_cuts_the_end() async throws {
    try await flip(
      in: try SmallStore.inUse(), ["-wal"], inSuite: 350, long: 12_000, "bits of a -wal")
  }

  @Test func in_the_file_behind_a_wal_is_found_or_harmless() async throws {
    try await flip(
      in: try SmallStore.inUse(), [""], inSuite: 150, long: 5000, "bits of a file behind a -wal")
  }

  @Test func in_the_shm_and_the_lock_file_is_harmless() async throws {
    var store = try SmallStore.inUse()
    store.files["-lock"] = [0]
    try await flip(
      in: store, ["-shm", "-lock"], inSuite: 100, long: 2000, "bits of a -shm and a -lock")
  }

  /// Flips bits of the files `suffixes` of `original`, each in a copy of its own, spread evenly.
  private func flip(
    in original: SmallStore, _ suffixes: [String], _ half: Int? = nil, inSuite: Int,
    long: Int = .max, _ what: String
  ) async throws {
    let damage = try Damage(original)
    let bits = suffixes.flatMap { suffix in
      (0..<(original.files[suffix] ?? []).count * 8)
        .filter { half == nil || $0 % 2 == half }.map { (suffix, $0) }
    }
    #expect(!bits.isEmpty)
    // A step that has no divisor in common with the number of bits comes to each of them once.
    let step = stride(from: 7_368_787, through: 7_368_987, by: 1).first { gcd($0, bits.count) == 1 }
    let (tally, folder, target) = (Tally(), try TemporaryFolder(), step ?? 1)
    try await Trials(inSuite: inSuite, long: min(long, bits.count)).run { seed in
      let (suffix, bit) = bits[Int(seed) * target % bits.count]
      var store = original
      store.flip(bit, of: suffix)
      try store.write(to: folder)
      do {
        let judgement = try Judgement.of(folder, original.content)
        tally.add(judgement.rawValue)
        // A recovery takes as long as all else; of every bit that would be too long.
        if Int(seed) % (Trials.isLong ? 16 : 3) != 0 { return }
        // Reading may have changed -shm and -wal.
        try store.write(to: folder)
        let recovered = try RecoveryJudgement(
          folder, original.content,
          intact: damage.intact(without: [Damage.piece(suffix, at: bit / 8)]))
        tally.add("events recovered", recovered.inStore)
        tally.add("events aside", recovered.aside)
        if recovered.isWhole { tally.add("recovered whole") }
      } catch {
        throw BrokenPromise("bit \(bit % 8) of byte \(bit / 8) of the file\(suffix): \(error)")
      }
    }
    tally.note(what, ["detected", "harmless", "cut", "recovered whole", "events aside"])
    if !suffixes.contains("-wal") { #expect(tally.count("cut") == 0) }
  }

  private func gcd(_ one: Int, _ other: Int) -> Int { other == 0 ? one : gcd(other, one % other) }
}
