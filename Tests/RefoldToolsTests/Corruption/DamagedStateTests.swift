import EventStoreCore
import EventStoreSQLite
import EventStoreTesting
import Foundation
import Refold
import SampleReactors
import Synchronization
import Testing

@testable import RefoldTools

/// What is folded from a damaged store is right, or it is told: with snapshots and without.
@Suite("The state of a damaged store", .timeLimit(.minutes(Trials.minutes(20))))
struct DamagedStateTests {
  private let shell: Shell
  private let bytes: [UInt8]
  private static let actions = 40

  /// A store that holds a session and the snapshot which it left.
  init() async throws {
    shell = try Shell()
    let store = try SQLiteEventStore(path: shell.store, options: .init(synchronous: .normal))
    let session = try await Session.open(CounterReactor(), named: "s1", in: store)
    for number in 1...Self.actions { try await session.send(.increase(by: number)) }
    try await session.close()
    try store.close()
    bytes = try shell.read("refold.sqlite")
  }

  @Test func is_right_where_verify_finds_nothing_and_never_begins_with_an_altered_snapshot()
    async throws
  {
    let (bytes, path) = (bytes, shell.store)
    let right = Self.actions * (Self.actions + 1) / 2
    let counts = Mutex<[String: Int]>([:])
    // Half of the bits are those of the snapshot, which says what it is of in plain text.
    let needle = Array("{\"value\":\(right)".utf8)
    let snapshot = try #require(bytes.firstRange(of: needle))
    try await Trials(inSuite: 120, long: 4000).run { seed in
      var random = SeededGenerator(seed: seed)
      let byte =
        seed.isMultiple(of: 2)
        ? snapshot.lowerBound - 40 + random.below(needle.count + 40) : random.below(bytes.count)
      var damaged = bytes
      damaged[byte] ^= 1 << UInt8(random.below(8))
      try Data(damaged).write(to: URL(fileURLWithPath: path))
      for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
      let outcome = try Self.outcome(path, right)
      counts.withLock { $0[outcome, default: 0] += 1 }
    }
    let seen = counts.withLock { $0 }
    #expect((seen["detected"] ?? 0) > 0)
    Figures.note(
      "Corruption", "states folded from damaged stores",
      [
        ("detected", seen["detected"] ?? 0), ("right", seen["right"] ?? 0),
        ("wrong where verify found nothing", 0),
      ])
  }

  private static func outcome(_ path: String, _ right: Int) throws -> String {
    let store: SQLiteEventStore
    do {
      store = try SQLiteEventStore(path: path, options: .init(patience: 1, access: .readOnly))
    } catch is EventStoreError {
      return "detected"
    }
    defer { try? store.close() }
    var findings = 0
    try store.verify(nil) { _ in findings += 1 }
    let end = Seq(UInt32(2 * actions))
    // By the snapshot, and from the first event on.
    let info = try? store.session(named: SessionName("s1"))
    let states = [
      try? info.map { try TimeMachine(CounterReactor(), $0, in: store).state(at: end).value },
      try? info.map {
        try TimeMachine(CounterReactor(), $0, in: store, foldID: { _ in nil }).state(at: end).value
      },
    ]
    if findings > 0 { return "detected" }
    for state in states {
      try require(
        state == right, "verify found nothing, and the state is \(String(describing: state))")
    }
    return "right"
  }

  @Test func a_session_begins_with_no_snapshot_whose_bits_were_flipped() async throws {
    let right = Self.actions * (Self.actions + 1) / 2
    let needle = Array("{\"value\":\(right)".utf8)
    let digits = try #require(bytes.firstRange(of: needle))
    for byte in (digits.upperBound - 3)..<digits.upperBound {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[byte] ^= 1 << UInt8(bit)
        try Data(damaged).write(to: URL(fileURLWithPath: shell.store))
        let store = try SQLiteEventStore(
          path: shell.store, options: .init(synchronous: .normal, access: .readOnly))
        let state = try TimeMachine(CounterReactor(), session: "s1", in: store)
          .state(at: Seq(UInt32(2 * Self.actions)))
        #expect(state.value == right, "byte \(byte), bit \(bit)")
        try store.close()
      }
    }
  }
}
