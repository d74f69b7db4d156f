import EventStoreCore
import EventStoreTesting
import Testing

@testable import Refold

@Suite("A seek", .timeLimit(.minutes(5)))
struct SnapshotSeekTests {
  private let store = InMemoryEventStore()
  private let reactor = TrialReactor()

  private func snapshots(_ info: SessionInfo) throws -> [Snapshot] {
    try store.snapshots(of: info.id)
  }

  /// Compares folds at random positions with those from seq 0.
  private func compare(_ info: SessionInfo, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let plain = TimeMachine.plain(reactor, info, in: store)
    let machine = TimeMachine(reactor, info, in: store)
    let timeline = try Timeline(reactor, info, in: store, limit: 8)
    let last = Int(try machine.lastSeq.rawValue)
    let marks = try snapshots(info).map { Int($0.seq.rawValue) }
    let near = marks.flatMap { [$0 - 1, $0, $0 + 1] }.filter { $0 <= last }
    for place in near + (0..<20).map({ _ in random.below(last + 1) }) {
      let seq = Seq(UInt32(place))
      let expected = try plain.fold(through: seq)
      for fold in [try machine.fold(through: seq), try timeline.fold(at: seq)] {
        #expect(fold.state == expected.state, "seed \(seed), at \(seq)")
        #expect(fold.seq == seq)
        #expect(fold.recordedAt == expected.recordedAt)
      }
    }
    #expect(timeline.keyframeSeqs.count <= 8)
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func gives_what_the_log_folds_to(seed: UInt64) throws {
    let info = try LongLog.record(1250, seed: seed, in: store)
    try LongLog.leaveSnapshots(info, in: store)
    #expect(try (3...4).contains(snapshots(info).count))
    try compare(info, seed: seed)
  }

  @Test func folds_no_more_than_lies_behind_the_newest_snapshot() throws {
    let info = try LongLog.record(20_000, in: store)
    try LongLog.leaveSnapshots(info, in: store)
    let reads = CountedReads()
    let machine = TimeMachine(reactor, info, in: reads.store(store))
    let position = Seq(18_000)
    let before = reads.count
    let fold = try machine.fold(through: position)
    // The tail, the snapshot, its digest and its event, and a page of up to 1,024 events.
    #expect(reads.count - before <= 4 + 1)
    #expect(try fold.state == TimeMachine.plain(reactor, info, in: store).state(at: position))
  }

  @Test func of_a_timeline_folds_no_more_either_and_goes_back_by_snapshots() throws {
    let info = try LongLog.record(20_000, in: store)
    try LongLog.leaveSnapshots(info, in: store)
    let reads = CountedReads()
    let timeline = try Timeline(reactor, info, in: reads.store(store))
    for place in [18_000, 4000, 12_000, 3, 19_999] {
      let before = reads.count
      _ = try timeline.fold(at: Seq(UInt32(place)))
      #expect(reads.count - before <= 3 + 2, "at \(place)")
    }
  }

  @Test func in_a_fork_uses_what_its_parent_left_up_to_the_cut() throws {
    let parent = try LongLog.record(1250, in: store)
    try LongLog.leaveSnapshots(parent, in: store)
    let fork = try Forking.fork(parent, at: 833, named: nil, in: store).info
    var random = SeededGenerator(seed: 5)
    try LongLog.append(560, to: fork, in: store, &random)
    let inherited = try snapshots(fork).map(\.seq)
    #expect(inherited.count >= 2 && inherited.allSatisfy { $0 <= 833 })
    try LongLog.leaveSnapshots(fork, in: store)
    #expect(try snapshots(fork).count > inherited.count)
    try compare(fork, seed: 4)
    try compare(parent, seed: 4)
  }

  enum Damage: CaseIterable {
    case otherBuild, otherLog, noJSON, otherType, truncated
  }

  /// Makes `snapshot` one that must not be used.
  private func damaged(_ snapshot: Snapshot, _ damage: Damage) -> Snapshot {
    var snapshot = snapshot
    switch damage {
    case .otherBuild: snapshot.foldID += "0"
    case .otherLog: snapshot.logDigest = LogDigest(reactor: "other").digest
    case .noJSON: snapshot.state = [0xff]
    case .otherType: snapshot.state = Array(#"{"sum":"no number"}"#.utf8)
    case .truncated: snapshot.state.removeLast(3)
    }
    return snapshot
  }

  @Test(arguments: Damage.allCases)
  func passes_over_a_snapshot_that_does_not_fit(damage: Damage) async throws {
    let made = InMemoryEventStore()
    let original = try LongLog.record(1250, in: made)
    try LongLog.leaveSnapshots(original, in: made)
    let good = try made.snapshots(of: original.id)
    for spared in [nil, 0, 1] {
      let name = "s\(spared ?? 9)"
      let info = try LongLog.record(1250, in: store, named: name)
      for (index, snapshot) in good.enumerated() {
        // So that a state which is used shows.
        var snapshot = snapshot
        if index != spared { snapshot = damaged(snapshot, damage) }
        if index != spared, damage == .otherBuild || damage == .otherLog {
          snapshot.state = Array(#"{"sum":-1,"isLoading":false,"texts":[]}"#.utf8)
        }
        try store.save(snapshot, of: info.id)
      }
      try compare(info, seed: 6)
      let session = try await Session.open(
        reactor, named: name, in: store, options: LongLog.options)
      let expected = try TimeMachine.plain(reactor, info, in: store).state(at: 1250)
      #expect(session.currentState == expected)
      try await session.close()
    }
  }

  @Test func takes_a_store_that_cannot_look_for_snapshots_for_one_without() throws {
    let info = try LongLog.record(400, in: store)
    try LongLog.leaveSnapshots(info, in: store)
    // The second question is for the snapshot: the first one is where the log ends.
    let failing = FaultyEventStore(store) { call in
      call.operation == .read && call.number == 2 ? .before(.closed) : nil
    }
    let fold = try TimeMachine(reactor, info, in: failing).fold(through: 350)
    #expect(try fold.state == TimeMachine.plain(reactor, info, in: store).state(at: 350))
  }
}
