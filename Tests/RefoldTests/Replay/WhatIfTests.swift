import EventStoreCore
import EventStoreTesting
import Synchronization
import Testing

@testable import Refold

@Suite("What would have happened instead", .timeLimit(.minutes(5)))
struct WhatIfTests {
  let store = InMemoryEventStore()

  /// A plan carried out: its result, and the differences as lines.
  struct Outcome {
    let result: WhatIf.Result<TrialReactor.State>
    let differences: [String]
    let log: [String]
  }

  func outcome(
    of info: SessionInfo, at: Seq = .zero, until: Seq? = nil,
    _ changes: [Seq: WhatIf.Change] = [:], by reactor: TrialReactor = TrialReactor(),
    named name: String? = nil, in other: (any EventStore)? = nil
  ) throws -> Outcome {
    let store = other ?? store
    let differences = Mutex<[String]>([])
    let until = try until ?? store.tail(of: info.id).version
    let plan = WhatIf.Plan(at: at, until: until, changes: changes)
    let run = try WhatIfRun(
      reactor, info, plan, named: name.map { try SessionName($0) }, in: store
    ) { difference in
      differences.withLock { $0.append(Self.text(difference)) }
    }
    let result = try run.run()
    return Outcome(
      result: result, differences: differences.withLock { $0 },
      log: try log(of: result.session.name.rawValue, in: store))
  }

  private static func text(_ difference: WhatIf.Difference) -> String {
    let place = "\(difference.old) \(difference.new.map { "\($0)" } ?? "-") "
    func list(_ payloads: [[UInt8]]) -> String {
      payloads.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
    }
    switch difference.kind {
    case .decision(let was, let now): return place + "\(list(was)) -> \(list(now))"
    case .effectGone: return place + "effectGone"
    case .effectUnanswered: return place + "effectUnanswered"
    case .effectCancelled(let by, let was):
      return place + "effectCancelled \(by), was \(was?.name ?? "going on")"
    case .cancellerGone(let cause): return place + "cancellerGone \(cause)"
    case .failure(let was, let now):
      return place + "failure \(was != nil) -> \(now != nil)"
    case .senderGone(let cause): return place + "senderGone \(cause)"
    case .unreadable(let kind, _): return place + "unreadable \(kind.name)"
    case .secret: return place + "secret"
    }
  }

  @Test func begins_with_the_newest_snapshot_before_the_fork() throws {
    let info = try store.transaction {
      try $0.createSession(named: SessionName("s"), reactor: TrialReactor.name, at: .now())
    }
    var batch = EventBatch()
    // The first cannot be folded any more: only a snapshot behind it can be begun with.
    for (seq, line) in [(Seq(1), #"{"gone":{}}"#), (Seq(2), #"{"added":{"_0":2}}"#)] {
      let header = EventHeader(seq: seq, kind: .mutation, cause: .zero, recordedAt: .now())
      batch.append(header, payload: Array(line.utf8))
    }
    try store.append(batch, to: info.id, expecting: .zero, schemaVersion: 1)
    #expect(throws: SessionError.self) { try outcome(of: info, at: 2) }
    try store.save(
      Snapshot(
        seq: 1, foldID: #require(FoldID.of(TrialReactor())),
        logDigest: store.digest(of: info.id, at: 1),
        state: Array(#"{"sum":7,"isLoading":false,"texts":[]}"#.utf8)), of: info.id)
    let result = try outcome(of: info, at: 2).result
    #expect(result.state.sum == 9)
    #expect(result.version == 2)
  }

  @Test func an_action_left_out_changes_what_is_decided_behind_it() async throws {
    let info = try await store.record { session in
      try await session.send(.add(2))
      try await session.send(.add(5))
      try await session.send(.double)
    }
    let original = try log(of: "s", in: store)
    let digest = try store.tail(of: info.id).digest
    let outcome = try outcome(of: info, at: 2, [3: .skip])
    #expect(outcome.differences == [#"5 3 {"added":{"_0":7}} -> {"added":{"_0":2}}"#])
    #expect(outcome.result.state.sum == 4)
    #expect(outcome.result.sent == 1)
    #expect(outcome.result.leftOut == 1)
    #expect(
      outcome.log == [
        #"1 action 0 {"add":{"_0":2}}"#, #"2 mutation 1 {"added":{"_0":2}}"#,
        #"3 action 0 {"double":{}}"#, #"4 mutation 3 {"added":{"_0":2}}"#,
      ])
    #expect(outcome.result.session.parent == SessionInfo.Parent(session: info.id, seq: 2))
    #expect(outcome.result.session.name.rawValue == "s-fork-1")
    #expect(try log(of: "s", in: store) == original)
    #expect(try store.tail(of: info.id).digest == digest)
  }

  /// Everything that a log can hold: with effects that fail, that another action overtakes, that a
  /// transform made several of, and with mutations from outside.
  private func recordAll(_ reactor: TrialReactor, _ names: BehaviorRelay<String>) async throws
    -> SessionInfo
  {
    try await store.record(reactor) { session in
      try await session.send(.add(2), id: "first")
      let gated = try await session.send(.load("gated"))
      try await session.send(.double)
      try await session.send(.load("refused"))
      names.accept("Noa")
      await self.gate.open()
      _ = await gated.finished
      _ = await (try session.send(.load("failing"))).finished
      try await session.send(.twice(3))
      try await session.send(.load("never"))
      try await session.send(.add(1))
    }
  }

  private let gate = Gate()

  private func everything(_ names: BehaviorRelay<String>) -> TrialReactor {
    TrialReactor(
      load: { [gate] text in
        switch text {
        case "never": return .never
        case "failing": return .task { throw ProbeError() }
        default:
          return .task {
            await gate.wait()
            return .loaded(text)
          }
        }
      }, outside: names.effect.map { .setUser($0) })
  }

  @Test func without_any_change_everything_is_as_it_was_digest_for_digest() async throws {
    let names = BehaviorRelay("Mina")
    let reactor = everything(names)
    let info = try await recordAll(reactor, names)
    let end = try store.tail(of: info.id).version
    for cut in 0...end.rawValue {
      let outcome = try outcome(of: info, at: Seq(cut), by: reactor, named: "again at \(cut)")
      #expect(outcome.differences.isEmpty, "at \(cut)")
      let digest = try store.tail(of: outcome.result.session.id).digest
      #expect(try digest == store.tail(of: info.id).digest, "at \(cut)")
    }
    var findings: [VerifyFinding] = []
    try store.verify(nil) { findings.append($0) }
    #expect(findings.isEmpty)
  }

  @Test func up_to_any_place_what_is_open_there_is_cancelled() async throws {
    let names = BehaviorRelay("Mina")
    let reactor = everything(names)
    let info = try await recordAll(reactor, names)
    let end = try store.tail(of: info.id).version
    for until in 1...end.rawValue {
      let outcome = try outcome(
        of: info, until: Seq(until), by: reactor, named: "up to \(until)")
      #expect(outcome.differences.isEmpty, "up to \(until)")
      #expect(try store.openEffects(of: outcome.result.session.id).isEmpty)
      let cancelled = outcome.log.suffix(outcome.result.cancelled.count)
      #expect(cancelled.allSatisfy { $0.contains("cancelled") })
    }
    var findings: [VerifyFinding] = []
    try store.verify(nil) { findings.append($0) }
    #expect(findings.isEmpty)
  }

  @Test func effects_are_answered_from_the_log_at_their_old_places() async throws {
    let calls = Mutex(0)
    let gate = Gate()
    let reactor = TrialReactor(load: { text in
      .task {
        calls.withLock { $0 += 1 }
        await gate.wait()
        return .loaded(text)
      }
    })
    let info = try await store.record(reactor) { session in
      try await session.send(.add(2))
      let load = try await session.send(.load("a"))
      try await session.send(.add(3))
      await gate.open()
      _ = await load.finished
      try await session.send(.double)
    }
    let outcome = try outcome(of: info, [1: .skip], by: reactor)
    #expect(
      outcome.log == [
        #"1 action 0 {"load":{"_0":"a"}}"#, #"2 mutation 1 {"setLoading":{"_0":true}}"#,
        "3 pending 1", #"4 action 0 {"add":{"_0":3}}"#, #"5 mutation 4 {"added":{"_0":3}}"#,
        #"6 mutation 1 {"loaded":{"_0":"a"}}"#, #"7 mutation 1 {"setLoading":{"_0":false}}"#,
        "8 completed 1 {}", #"9 action 0 {"double":{}}"#, #"10 mutation 9 {"added":{"_0":3}}"#,
      ])
    #expect(calls.withLock { $0 } == 1, "the effect ran again")
    // Cut while the effect goes on: what it gave behind the cut is kept.
    let cut = try self.outcome(of: info, at: 5, [6: .skip], by: reactor)
    #expect(cut.result.state.texts == ["a"])
    #expect(cut.result.cancelled.isEmpty)
  }

  @Test func an_effect_that_is_not_there_any_more_takes_its_later_mutations_along() async throws {
    let info = try await store.record { session in
      _ = await (try session.send(.load("a"))).finished
    }
    let today = TrialReactor(decide: { action, _ in
      if case .load(let text) = action { .just(.loaded("at once: \(text)")) } else { nil }
    })
    let outcome = try outcome(of: info, by: today)
    #expect(
      outcome.differences == [
        #"1 1 {"setLoading":{"_0":true}} -> {"loaded":{"_0":"at once: a"}}"#, "1 1 effectGone",
      ])
    #expect(outcome.log.count == 2)
  }

  @Test func an_effect_that_was_not_there_has_nothing_to_answer_it() async throws {
    let calls = Mutex(0)
    let info = try await store.record { try await $0.send(.add(2)) }
    let today = TrialReactor(decide: { _, _ in
      .concat(
        .just(.setLoading(true)),
        .task {
          calls.withLock { $0 += 1 }
          return .added(2)
        })
    })
    let outcome = try outcome(of: info, by: today)
    #expect(outcome.differences.last == "1 1 effectUnanswered")
    #expect(outcome.log.suffix(2) == ["3 pending 1", "4 cancelled 1 {}"])
    #expect(calls.withLock { $0 } == 0)
  }

  @Test func what_an_effect_sent_goes_with_it() async throws {
    let session = Mutex<Session<TrialReactor>?>(nil)
    let reactor = TrialReactor(load: { _ in
      .run { _ in session.withLock { $0 }?.enqueue(.add(7)) }
    })
    let info = try await store.record(reactor) { opened in
      session.withLock { $0 = opened }
      _ = await (try opened.send(.load("a"))).finished
      await opened.finishEffects()
    }
    session.withLock { $0 = nil }
    #expect(try log(of: "s", in: store).contains(#"4 action 1 {"add":{"_0":7}}"#))
    let skipped = try outcome(of: info, [1: .skip], by: reactor)
    #expect(skipped.differences == ["4 - senderGone 1"])
    #expect(skipped.log.isEmpty)
    #expect(skipped.result.leftOut == 2)
    let gone = try outcome(of: info, by: TrialReactor(decide: { _, _ in .empty }))
    #expect(gone.differences.suffix(2) == ["1 1 effectGone", "4 - senderGone 1"])
  }

  @Test func a_failure_at_once_is_compared_as_well() async throws {
    let failing = TrialReactor(decide: { _, _ in .fail(ProbeError()) })
    let info = try await store.record(failing) { try await $0.send(.add(2)) }
    #expect(try outcome(of: info, by: failing).differences.isEmpty)
    let now = try outcome(of: info)
    #expect(now.differences == [#"1 1  -> {"added":{"_0":2}}"#, "1 1 failure true -> false"])
    let again = try outcome(of: now.result.session, by: failing)
    #expect(again.differences == [#"1 1 {"added":{"_0":2}} -> "#, "1 1 failure false -> true"])
  }

  @Test func another_action_in_its_place_is_not_answered_by_what_the_first_one_got() async throws {
    let info = try await store.record { session in
      _ = await (try session.send(.load("a"), id: "x")).finished
      try await session.send(.add(1), id: "y")
    }
    let replaced = try outcome(
      of: info, [1: .replace(Array(#"{"load":{"_0":"b"}}"#.utf8))])
    #expect(replaced.differences == ["1 1 effectUnanswered"])
    #expect(replaced.result.cancelled == [1])
    #expect(
      replaced.log.prefix(4) == [
        #"1 action 0 {"load":{"_0":"b"}}"#, #"2 mutation 1 {"setLoading":{"_0":true}}"#,
        "3 pending 1", "4 cancelled 1 {}",
      ])
    #expect(replaced.result.state.texts.isEmpty)
    let fork = replaced.result.session.id
    #expect(try store.delivery("x", in: fork) == nil, "the delivery of another action")
    #expect(try store.delivery("y", in: fork)?.seq == 5)
    let added = try outcome(of: info, [1: .replace(Array(#"{"add":{"_0":9}}"#.utf8))])
    #expect(added.result.state.sum == 10)
    #expect(added.differences.last == "1 1 effectGone")
  }

  @Test func an_event_that_today_cannot_read_is_left_out_and_named() async throws {
    let info = try await store.record { try await $0.send(.add(2)) }
    try store.append(
      [
        (.mutation, 0, #"{"lost":{}}"#), (.action, 0, #"{"gone":{}}"#),
        (.mutation, 4, #"{"added":{"_0":1}}"#), (.action, 0, #"{"add":{"_0":3}}"#),
        (.mutation, 6, #"{"added":{"_0":3}}"#),
      ], to: info)
    let outcome = try outcome(of: info)
    #expect(outcome.differences == ["3 - unreadable mutation", "4 - unreadable action"])
    #expect(outcome.result.state.sum == 5)
    #expect(outcome.log.count == 4)
  }

  @Test func an_action_that_needs_a_secret_is_kept_as_it_was_decided() async throws {
    let info = try await store.record { session in
      try await session.send(.add(1))
      try await session.send(.signIn(Secret("right")))
    }
    let outcome = try outcome(of: info, [1: .skip])
    #expect(outcome.differences == ["3 1 secret"])
    #expect(outcome.result.state.user == "mina")
    #expect(outcome.log.last == #"2 mutation 1 {"setUser":{"_0":"mina"}}"#)
  }

  @Test func of_a_fork_it_can_be_asked_as_well() async throws {
    let info = try await store.record { session in
      for amount in 1...4 { try await session.send(.add(amount)) }
    }
    let first = try outcome(of: info, at: 2, [3: .skip])
    let second = try outcome(of: first.result.session, [1: .skip])
    #expect(second.result.state.sum == 7)
    #expect(second.result.session.name.rawValue == "s-fork-1-fork-1")
  }

  @Test func a_plan_that_cannot_be_carried_out_writes_nothing() async throws {
    let info = try await store.record { session in
      try await session.send(.add(1))
      try await session.send(.add(2))
    }
    let line = Array(#"{"ad":{"_0":1}}"#.utf8)
    for (at, changes, message) in [
      (2, [1: .skip], "event 1 is not behind position 2"), (0, [9: .skip], "event 9 is not"),
      (0, [2: .skip], "event 2 is no action, but a mutation. It comes from action 1"),
      (0, [1: .replace(line)], "in place of event 1: expected"),
    ] as [(Seq, [Seq: WhatIf.Change], String)] {
      do {
        _ = try outcome(of: info, at: at, changes)
        Issue.record("\(message) was not noticed")
      } catch let error as WhatIf.Failure {
        #expect("\(error)".hasPrefix(message))
      }
    }
    #expect(throws: EventStoreError.sessionExists(info.name)) {
      try outcome(of: info, named: "s")
    }
    #expect(try store.sessions().count == 1)
  }

  @Test(arguments: 1...4) func that_stops_in_the_middle_leaves_its_beginning_or_nothing(
    _ failing: Int
  ) async throws {
    let info = try await store.record { session in
      for amount in 0..<3000 { session.enqueue(.add(amount % 7)) }
      await session.finishEffects()
    }
    let whole = try outcome(of: info, [1: .skip], named: "whole").log
    let faulty = FaultyEventStore(store) { call in
      call.operation == .transaction && call.number == failing
        ? .before(.diskFull(path: "x")) : nil
    }
    let outcome = Result { try self.outcome(of: info, [1: .skip], named: "part", in: faulty) }
    let part = try log(of: "part", in: store)
    #expect(whole.starts(with: part))
    #expect(failing > 3 ? part.count == whole.count : part.count < whole.count)
    if failing < 4 { #expect(throws: EventStoreError.diskFull(path: "x")) { try outcome.get() } }
    #expect(try store.session(named: SessionName("part")) == nil || failing > 1)
    var findings: [VerifyFinding] = []
    try store.verify(nil) { findings.append($0) }
    #expect(findings.isEmpty)
  }
}
