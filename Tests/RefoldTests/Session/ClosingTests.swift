import EventStoreCore
import Synchronization
import Testing

@testable import Refold

@Suite("Closing, sequence and interruption")
struct ClosingTests {
  let store = InMemoryEventStore()

  func open(
    _ effects: @escaping @Sendable (String) -> Effect<ProbeReactor.Mutation>?,
    options: SessionOptions = SessionOptions()
  ) async throws -> Session<ProbeReactor> {
    try await Session.open(
      ProbeReactor(effects: effects), named: "s", in: store, options: options)
  }

  @Test func closing_waits_for_the_cancelled_tasks_and_takes_nothing_afterwards() async throws {
    let ended = Mutex(false)
    let session = try await open { _ in
      .run { send in
        do {
          try await Task.sleep(for: .seconds(3600))
        } catch {
          await send(.init(text: "too late"))
          ended.withLock { $0 = true }
          throw error
        }
      }
    }
    try await session.send(.probe("a"))
    try await session.close()
    #expect(ended.withLock { $0 }, "close returned before the task had ended")
    #expect(session.currentState.texts.isEmpty)
    #expect(try log(of: "s", in: store).last == "3 cancelled 1 {}")
    try await session.close()
    #expect(try log(of: "s", in: store).count == 3)
  }

  @Test(arguments: [true, false])
  func a_closed_session_is_freed(_ transforms: Bool) async throws {
    var reactor = ProbeReactor(effects: { $0 == "slow" ? .never : nil })
    if transforms {
      reactor.outside = BehaviorRelay("r").effect.map { .init(text: $0) }
      reactor.transformAction = { $0.filter { _ in true } }
      reactor.transformState = { $0.filter { _ in true } }
    }
    let store = store
    let use: @Sendable (ProbeReactor) async throws -> Weak = { reactor in
      let session = try await Session.open(reactor, named: "f", in: store)
      try await session.send(.probe("a"))
      try await session.send(.probe("slow"))
      try await session.close()
      return Weak(session)
    }
    let freed = try await use(reactor)
    // The writer queue lets go of the session when its last call has returned.
    for _ in 0..<10_000 where freed.session != nil { await Task.yield() }
    #expect(freed.session == nil)
  }

  /// `@unchecked Sendable` because a weak reference is read and cleared atomically.
  private final class Weak: @unchecked Sendable {
    weak var session: Session<ProbeReactor>?
    init(_ session: Session<ProbeReactor>) { self.session = session }
  }

  @Test(.timeLimit(.minutes(5)))
  func closing_returns_while_effects_keep_sending() async throws {
    let session = try await open { _ in
      .run { send in while !Task.isCancelled { await send(.init(text: "x")) } }
    }
    for _ in 0..<4 { try await session.send(.probe("busy")) }
    try await session.close()
    let lines = try log(of: "s", in: store)
    #expect(lines.filter { $0.contains("pending") }.count == 4)
    #expect(lines.filter { $0.contains("cancelled") }.count == 4)
  }

  @Test(.timeLimit(.minutes(5)))
  func closing_leaves_no_pending_effect_without_an_end() async throws {
    for round in 0..<60 {
      let store = InMemoryEventStore()
      var options = SessionOptions()
      options.isSequential = round % 2 == 0
      var reactor = ProbeReactor(effects: { name in
        .concat(.text(name), .task { .init(text: name) }, .never)
      })
      if round % 3 == 0 { reactor.outside = .never }
      let session = try await Session.open(reactor, named: "s", in: store, options: options)
      for index in 0..<6 { session.enqueue(.probe("\(index)")) }
      try await session.close()
      let lines = try log(of: "s", in: store)
      let begun = lines.filter { $0.contains(" pending ") }.count
      #expect(
        begun == lines.filter { $0.contains(" cancelled ") }.count, "round \(round): \(lines)")
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func many_actions_behind_an_effect_do_not_hold_up_what_it_sends() async throws {
    var options = SessionOptions()
    options.isSequential = true
    let session = try await open(
      { name in
        .run { send in await send(.init(text: name)) }
      }, options: options)
    for index in 0..<4200 { session.enqueue(.probe("\(index)")) }
    await session.finishEffects()
    #expect(session.currentState.texts.count == 4200)
  }

  @Test func a_sequential_session_keeps_actions_behind_the_effect_that_goes_on() async throws {
    let gate = Gate()
    var options = SessionOptions()
    options.isSequential = true
    let session = try await open(
      { name in
        name == "slow"
          ? .concat(
            .text("slow 1"),
            .task {
              await gate.wait()
              return .init(text: "slow 2")
            }) : nil
      }, options: options)
    session.enqueue(.probe("slow"))
    session.enqueue(.probe("b"))
    session.enqueue(.probe("c"))
    await gate.open()
    await session.finishEffects()
    #expect(session.currentState.texts == ["slow 1", "slow 2", "b", "c"])
  }

  @Test func closing_a_sequential_session_refuses_what_it_kept_back() async throws {
    var options = SessionOptions()
    options.isSequential = true
    let session = try await open({ $0 == "long" ? .never : nil }, options: options)
    try await session.send(.probe("long"))
    let kept = Task { try await session.send(.probe("kept")) }
    while session.core.withLock({ $0.keptBack.isEmpty }) { await Task.yield() }
    try await session.close()
    await #expect(throws: SessionError.self) { _ = try await kept.value }
    #expect(try log(of: "s", in: store).count == 3)
  }

  @Test(arguments: [
    SessionOptions.InterruptedPolicy.leave, .retry, .drop,
  ])
  func an_interrupted_effect_is_listed_and_dealt_with_as_asked(
    _ policy: SessionOptions.InterruptedPolicy
  ) async throws {
    try leaveAnEffectBehind()
    var options = SessionOptions()
    options.interrupted = policy
    let session = try await open(
      { name in .task { .init(text: "\(name) again") } }, options: options)
    #expect(session.interrupted.map(\.cause) == [1])
    await session.finishEffects()
    try await session.close()
    let lines = try log(of: "s", in: store)
    switch policy {
    case .leave: #expect(lines.count == 2)
    case .drop: #expect(lines.suffix(1) == ["3 cancelled 1 {}"])
    case .retry:
      #expect(
        lines.suffix(3) == ["3 pending 1", #"4 mutation 1 {"text":"a again"}"#, "5 completed 1 {}"])
    }
    let again = try await open({ _ in nil })
    let stillThere = if case .leave = policy { 1 } else { 0 }
    #expect(again.interrupted.count == stillThere)
  }

  @Test func a_retry_that_fails_at_once_has_one_end() async throws {
    try leaveAnEffectBehind()
    var options = SessionOptions()
    options.interrupted = .retry
    let session = try await open(
      { _ in .concat(.text("kept"), .fail(ProbeError())) }, options: options)
    await session.finishEffects()
    try await session.close()
    #expect(
      try log(of: "s", in: store).dropFirst(2) == [
        #"3 mutation 1 {"text":"kept"}"#,
        #"4 failed 1 {"error":"ProbeError()","type":"ProbeError"}"#,
      ])
  }

  @Test func the_running_effect_of_another_session_object_is_not_interrupted() async throws {
    let running = try await open({ _ in .never })
    try await running.send(.probe("a"))
    let other = try await open({ _ in nil })
    #expect(other.interrupted.isEmpty)
    try await running.close()
  }

  /// What a process that was killed leaves: an action and its pending event, and nobody alive.
  private func leaveAnEffectBehind() throws {
    let info = try store.transaction {
      try $0.createSession(named: SessionName("s"), reactor: "probe", at: .now())
    }
    var batch = EventBatch()
    let now = Timestamp.now()
    batch.append(
      EventHeader(seq: 1, kind: .action, cause: 0, recordedAt: now),
      payload: Array(#"{"probe":{"_0":"a"}}"#.utf8))
    batch.append(
      EventHeader(seq: 2, kind: .pending, cause: 1, recordedAt: now),
      payload: Array(#"{"owner":4242}"#.utf8))
    try store.append(batch, to: info.id, expecting: 0, schemaVersion: 1)
  }
}
