import EventStoreCore
import EventStoreTesting
import Synchronization
import Testing

@testable import Refold

@Suite("Snapshots of a live session", .timeLimit(.minutes(5)))
struct SnapshotTakingTests {
  private let store = InMemoryEventStore()

  private func snapshots(_ info: SessionInfo) throws -> [Snapshot] {
    try store.snapshots(of: info.id)
  }

  /// Sends `count` actions that `action` makes, waiting for each tenth and for the snapshot that is due.
  private func send<R: Reactor>(
    _ count: Int, to session: Session<R>, _ action: (Int) -> R.Action
  ) async throws {
    for index in 1...count {
      if index % 10 == 0 {
        try await session.send(action(index))
        // What is due is made on a queue of its own; the next commit finds it.
        await session.snapshots.rest()
      } else {
        session.enqueue(action(index))
      }
    }
  }

  /// Expects every snapshot to have the state that the log folds to.
  private func verify<R: Reactor>(_ reactor: R, _ info: SessionInfo) throws {
    let foldID = try #require(FoldID.of(reactor))
    #expect(try AlteredSnapshots.seqs(of: info, in: store, by: reactor, foldID: foldID).isEmpty)
  }

  @Test func are_written_while_it_runs_and_make_opening_it_short() async throws {
    let session = try await Session.open(
      TrialReactor(), named: "s", in: store, options: LongLog.options)
    try await send(750, to: session) { .add($0) }
    #expect(try !snapshots(session.info).isEmpty, "before it closes")
    try await session.close()
    let seqs = try snapshots(session.info).map(\.seq)
    #expect(seqs.count >= 3 && seqs.last == 1500, "\(seqs)")
    #expect(
      zip(seqs, seqs.dropFirst().dropLast()).allSatisfy { $0.distance(to: $1) >= LongLog.events })
    try verify(TrialReactor(), session.info)
    let ends = try store.commits(of: session.info.id, after: .zero, limit: .max).map(\.lastSeq)
    #expect(Set(seqs).isSubset(of: ends), "there the log's digest is at hand")

    let reads = CountedReads()
    let again = try await Session.open(
      TrialReactor(), named: "s", in: reads.store(store), options: LongLog.options)
    #expect(again.currentState.sum == (1...750).reduce(0, +))
    try await again.send(.add(1))
    try await again.close()
    #expect(reads.count <= 16)
  }

  @Test func are_left_on_opening_a_long_log_that_has_none() async throws {
    let info = try LongLog.record(3125, in: store)
    let session = try await Session.open(
      TrialReactor(), named: "s", in: store, options: LongLog.options)
    #expect(try (8...12).contains(snapshots(info).count))
    try await session.close()
    #expect(try snapshots(info).last?.seq == 3125)
    try verify(TrialReactor(), info)
    let count = try snapshots(info).count
    let reads = CountedReads()
    let again = try await Session.open(
      TrialReactor(), named: "s", in: reads.store(store), options: LongLog.options)
    #expect(reads.count <= 12)
    try await again.close()
    #expect(try snapshots(info).count == count, "nothing is left twice")
  }

  @Test func of_another_build_are_made_anew() async throws {
    let info = try LongLog.record(1250, in: store)
    for id in ["trial@a", "trial@b", "trial@a"] {
      var options = LongLog.options
      options.foldID = { _ in id }
      let session = try await Session.open(
        TrialReactor(factor: id == "trial@a" ? 1 : 2), named: "s", in: store, options: options)
      try await session.send(.add(1))
      try await session.close()
      let machine = TimeMachine(
        TrialReactor(factor: id == "trial@a" ? 1 : 2), info, in: store, foldID: { _ in id })
      let plain = TimeMachine.plain(
        TrialReactor(factor: id == "trial@a" ? 1 : 2), info, in: store)
      for seq in [Seq(250), 600, 1252] {
        #expect(try machine.state(at: seq) == plain.state(at: seq), "\(id) at \(seq)")
      }
    }
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func never_take_more_space_than_the_log(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let load = TrialReactor(load: { .just(.loaded($0)) })
    for _ in 0..<4 {
      let session = try await Session.open(load, named: "s", in: store, options: LongLog.options)
      // Texts stay in the state, so that it grows with the log.
      let texts = (0..<190).map { _ in
        String(repeating: "x", count: random.below(3) == 0 ? random.below(200) : 0)
      }
      try await send(190, to: session) { .load(texts[$0 - 1]) }
      try await session.close()
    }
    let info = try #require(try store.session(named: SessionName("s")))
    let all = try snapshots(info)
    #expect(all.count > 1)
    let sum = all.map { $0.state.count + SnapshotPolicy.rowBytes }.reduce(0, +)
    #expect(try Int64(sum) <= store.tail(of: info.id).payloadBytes)
    try verify(load, info)
  }

  @Test func that_cannot_be_saved_take_no_commit_with_them() async throws {
    let issues = Mutex<[String]>([])
    var options = LongLog.options
    options.onIssue = { issue in issues.withLock { $0.append("\(issue)") } }
    let faulty = FaultyEventStore(store) { call in
      call.operation == .save ? .before(.diskFull(path: "x")) : nil
    }
    let session = try await Session.open(
      TrialReactor(), named: "s", in: faulty, options: options)
    try await send(750, to: session) { .add($0) }
    try await session.close()
    #expect(try store.tail(of: session.info.id).version == 1500)
    #expect(try snapshots(session.info).isEmpty)
    #expect(issues.withLock { $0 }.count >= 2)
  }

  @Test func of_two_sessions_of_one_log_agree_with_it() async throws {
    let one = try await Session.open(
      TrialReactor(), named: "s", in: store, options: LongLog.options)
    let other = try await Session.open(
      TrialReactor(), named: "s", in: store, options: LongLog.options)
    for round in 0..<12 {
      async let first: Void = send(32, to: one) { .add($0) }
      async let second: Void = send(32, to: other) { .add(round + $0) }
      _ = try await (first, second)
    }
    try await one.close()
    try await other.close()
    #expect(try store.tail(of: one.info.id).version == 1536)
    #expect(try snapshots(one.info).count >= 2)
    try verify(TrialReactor(), one.info)
  }

  @Test func that_a_crash_cut_off_from_their_commit_are_not_there() async throws {
    let crashing = FaultyEventStore(store) { call in
      // Creating the session is the first one.
      call.operation == .transaction && call.number == 12 ? .before(.diskFull(path: "x")) : nil
    }
    let session = try await Session.open(
      TrialReactor(), named: "s", in: crashing, options: LongLog.options)
    do {
      try await send(2000, to: session) { .add($0) }
      Issue.record("nothing failed")
    } catch {}
    let version = try store.tail(of: session.info.id).version
    #expect(try snapshots(session.info).allSatisfy { $0.seq <= version })
    try verify(TrialReactor(), session.info)
  }
}
