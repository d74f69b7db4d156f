import EventStoreCore
import Synchronization
import Testing

@testable import Refold

@Suite("A log that is held to today's code", .timeLimit(.minutes(5)))
struct LogCheckTests {
  let store = InMemoryEventStore()

  private func check(
    _ info: SessionInfo, by reactor: TrialReactor = TrialReactor()
  ) throws -> LogCheck<TrialReactor> {
    try LogCheck.check(reactor, info, in: store)
  }

  /// Options of a session whose code has the fold id `id`.
  private func build(_ id: String) -> SessionOptions {
    var options = SessionOptions()
    options.foldID = { _ in "trial@\(id)" }
    return options
  }

  @Test func is_found_unchanged_with_effects_of_every_kind() async throws {
    let names = BehaviorRelay("Mina")
    let calls = Mutex(0)
    let reactor = TrialReactor(
      load: { text in
        if text == "never" { return .never }
        return .task {
          calls.withLock { $0 += 1 }
          if text == "failing" { throw ProbeError() }
          return .loaded(text)
        }
      }, outside: names.effect.map { .setUser($0) })
    let info = try await store.record(reactor) { session in
      try await session.send(.add(1))
      for text in ["a", "failing"] { _ = await (try session.send(.load(text))).finished }
      names.accept("Noa")
      try await session.send(.twice(2))
      try await session.send(.load("never"))
      try await session.send(.load("refused"))
    }
    // An effect that was interrupted: pending without an end.
    let action = UInt32(try end(info) + 2)
    try store.append(
      [
        (.mutation, 0, #"{"setLoading":{"_0":false}}"#), (.action, 0, #"{"load":{"_0":"b"}}"#),
        (.mutation, action, #"{"setLoading":{"_0":true}}"#), (.pending, action, "{}"),
      ], to: info)
    let check = try check(info, by: reactor)
    #expect(check.first == nil, "\(check.first as Any)")
    #expect(check.counts.actions == 3)
    #expect(check.counts.actionsWithEffects == 4)
    #expect(check.counts.snapshots == 1)
    #expect(calls.withLock { $0 } == 2, "the check ran an effect")
  }

  private func end(_ info: SessionInfo) throws -> Int {
    Int(try store.tail(of: info.id).version.rawValue)
  }

  @Test func names_the_first_state_that_reduce_gives_otherwise() async throws {
    let info = try await store.record(options: build("a")) { try await $0.send(.add(0)) }
    for (id, amount) in [("b", 5), ("c", 6)] {
      _ = try await store.record(options: build(id)) { try await $0.send(.add(amount)) }
    }
    #expect(try check(info).counts.snapshots == 3)
    let check = try check(info, by: TrialReactor(factor: 10))
    #expect(check.snapshot?.seq == 4)
    #expect(check.agreeing?.seq == 2)
    #expect(check.agreeing?.foldID == "trial@a")
    guard case .otherState(let recorded, let today, "trial@b")? = check.snapshot?.kind else {
      Issue.record("\(check.snapshot as Any)")
      return
    }
    #expect(recorded["sum"] == 5)
    #expect(today["sum"] == 50)
    #expect(check.decision == nil)
  }

  @Test func names_the_first_decision_and_the_first_state_both() async throws {
    let info = try await store.record { session in
      try await session.send(.add(5))
      try await session.send(.double)
    }
    let check = try check(info, by: TrialReactor(factor: 2))
    #expect(check.decision?.seq == 4)
    #expect(check.decision?.action?.seq == 3)
    #expect(check.snapshot?.seq == 4)
    #expect(check.first?.seq == 4)
  }

  @Test func names_what_mutate_decides_otherwise() async throws {
    let info = try await store.record { session in
      try await session.send(.add(5))
      _ = await (try session.send(.load("a"))).finished
      try await session.send(.double)
    }
    func kind(_ decide: @escaping @Sendable (TrialReactor.Action) -> Effect<TrialReactor.Mutation>?)
      throws -> (Seq, String)?
    {
      let decision = try check(info, by: TrialReactor(decide: { action, _ in decide(action) }))
        .decision
      return decision.map { ($0.seq, String("\($0.kind)".prefix { $0 != "(" })) }
    }
    let cases: [(Seq, String, @Sendable (TrialReactor.Action) -> Effect<TrialReactor.Mutation>?)] =
      [
        (2, "otherMutation", { $0 == .add(5) ? .just(.added(6)) : nil }),
        (2, "mutationGone", { $0 == .add(5) ? .empty : nil }),
        (1, "moreMutations", { $0 == .add(5) ? .of(.added(5), .added(0)) : nil }),
        (1, "takesTime", { $0 == .add(5) ? .concat(.just(.added(5)), .never) : nil }),
        (1, "failure", { $0 == .add(5) ? .concat(.just(.added(5)), .fail(ProbeError())) : nil }),
        (3, "takesNoTime", { $0 == .load("a") ? .just(.setLoading(true)) : nil }),
        (4, "otherMutation", { $0 == .load("a") ? .concat(.just(.added(0)), .never) : nil }),
        (
          3, "moreMutations",
          { action in
            guard case .load = action else { return nil }
            return .concat(.of(.setLoading(true), .added(0)), .never)
          }
        ),
      ]
    for (seq, name, decide) in cases {
      let found = try kind(decide)
      #expect(found?.0 == seq, "\(name)")
      #expect(found?.1 == name)
    }
    #expect(try kind { $0 == .load("a") ? .concat(.just(.setLoading(true)), .never) : nil } == nil)
  }

  @Test func stops_at_a_mutation_that_cannot_be_read() async throws {
    let info = try await store.record { try await $0.send(.add(5)) }
    try store.append([(.mutation, 0, #"{"lost":{}}"#), (.mutation, 0, #"{"lost":{}}"#)], to: info)
    let check = try check(info)
    #expect(check.decision?.seq == 3)
    #expect(check.isOver)
    guard case .unreadable(.mutation, _, _, _)? = check.decision?.kind else {
      Issue.record("\(check.decision as Any)")
      return
    }
  }

  @Test func passes_over_a_decision_that_a_secret_went_into() async throws {
    let info = try await store.record { session in
      try await session.send(.signIn(Secret("right")))
      try await session.send(.add(1))
    }
    let check = try check(info)
    #expect(check.first == nil)
    #expect(check.counts.actionsWithSecrets == 1)
    #expect(check.counts.actions == 2)
  }

  @Test func is_not_held_to_a_first_step_that_a_fork_has_cut() async throws {
    let info = try await store.record { session in
      try await session.send(.add(1))
      _ = await (try session.send(.load("a"))).finished
    }
    for cut in 0...(try end(info)) {
      let fork = try Forking.fork(info, at: Seq(UInt32(cut)), named: nil, in: store).info
      _ = try await store.record(named: fork.name.rawValue) { try await $0.send(.double) }
      #expect(try check(fork).first == nil, "cut at \(cut)")
    }
  }

  @Test func is_compared_without_what_State_has_gained_since() async throws {
    let info = try await store.record(options: build("new")) { try await $0.send(.add(5)) }
    func save(_ state: String) throws {
      try store.save(
        Snapshot(
          seq: 2, foldID: "trial@old", logDigest: store.digest(of: info.id, at: 2),
          state: Array(state.utf8)), of: info.id)
    }
    try save(#"{"sum":5,"texts":[]}"#)
    #expect(try check(info).first == nil)
    try save(#"{"sum":4,"texts":[]}"#)
    #expect(try check(info).first?.seq == 2)
    try save(#"{"sum":5,"texts":[],"isLoading":false,"dropped":1}"#)
    #expect(try check(info).first == nil, "a member that State has no more is not read")
  }

  @Test func a_snapshot_of_this_code_that_was_altered_is_found() async throws {
    let info = try await store.record(options: build("x")) { try await $0.send(.add(5)) }
    let seqs = { [store] in
      try AlteredSnapshots.seqs(of: info, in: store, by: TrialReactor(), foldID: "trial@x")
    }
    #expect(try seqs().isEmpty)
    var snapshot = try #require(try store.snapshots(of: info.id).first)
    snapshot.state = Array(#"{"sum":6,"isLoading":false,"texts":[]}"#.utf8)
    try store.save(snapshot, of: info.id)
    #expect(try seqs() == [2])
    snapshot.foldID = "trial@y"
    snapshot.seq = 1
    try store.save(snapshot, of: info.id)
    #expect(try seqs() == [2], "a snapshot of other code says nothing about the store")
  }

  @Test func looks_at_one_snapshot_after_the_other() async throws {
    for id in ["a", "b", "c"] {
      _ = try await store.record(options: build(id)) { try await $0.send(.add(1)) }
    }
    let info = try #require(try store.sessions().first)
    try store.save(
      Snapshot(
        seq: 1, foldID: "trial@a", logDigest: store.digest(of: info.id, at: 2), state: [0x30]),
      of: info.id)
    let reads = CountedReads()
    var snapshots = ValidSnapshots(of: info.id, in: reads.store(store))
    #expect(try snapshots.next()?.seq == 2, "one that was taken of another log is passed over")
    #expect(reads.count == 4)
    #expect(try snapshots.next()?.seq == 4)
    #expect(reads.count == 6)
    #expect(try snapshots.next()?.seq == 6)
    #expect(try snapshots.next() == nil)

    let few = CountedReads()
    _ = try LogCheck(
      TrialReactor(), session: "s", snapshots: ValidSnapshots(of: info.id, in: few.store(store)))
    #expect(few.count == 4, "the check begins with the first alone")
  }
}
