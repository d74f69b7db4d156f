import EventStoreCore
import Testing

@testable import Refold

/// A reactor that says `busy` before it does something, and `idle` behind it.
private struct BusyReactor: Reactor {
  enum Action: Codable, Sendable {
    case work
    case note(String)
  }
  enum Mutation: Codable, Sendable, Equatable {
    case setBusy(Bool)
    case note(String)
  }

  struct State: Codable, Sendable, Equatable {
    var isBusy = false
    var notes: [String] = []
  }

  var effect = Effect<Mutation>.never
  var isLockstep = false

  static var name: String { "busy" }
  let initialState = State()

  func mutate(action: Action, state: State) -> Effect<Mutation> {
    switch action {
    case .work: .concat(.just(.setBusy(true)), effect, .just(.setBusy(false)))
    case .note(let text): .just(.note(text))
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .setBusy(let isBusy): state.isBusy = isBusy
    case .note(let text): state.notes.append(text)
    }
  }

  func recover(state: State) -> Mutation? { .setBusy(false) }

  func transform(mutation: Effect<Mutation>) -> Effect<Mutation> {
    isLockstep ? .merge(mutation, .never) : mutation
  }
}

@Suite("Recovering", .timeLimit(.minutes(5)))
struct RecoverTests {
  private func open(
    _ store: InMemoryEventStore, lockstep: Bool, _ effect: Effect<BusyReactor.Mutation> = .never,
    _ interrupted: SessionOptions.InterruptedPolicy = .leave
  ) async throws -> Session<BusyReactor> {
    var options = SessionOptions()
    options.interrupted = interrupted
    let session = try await Session.open(
      BusyReactor(effect: effect, isLockstep: lockstep), named: "s", in: store, options: options)
    await session.wait(for: .flushed)
    return session
  }

  private func lines(_ store: InMemoryEventStore) throws -> [String] {
    try log(of: "s", in: store).map {
      $0.split(separator: " ").prefix(3).joined(separator: " ")
    }
  }

  @Test(arguments: [false, true])
  func what_a_closed_session_left_is_mended_when_it_opens_again(_ lockstep: Bool) async throws {
    let store = InMemoryEventStore()
    let first = try await open(store, lockstep: lockstep)
    try await first.send(.work)
    try await first.close()
    let second = try await open(store, lockstep: lockstep)
    #expect(!second.currentState.isBusy)
    try await second.close()
    #expect(
      try lines(store) == [
        "1 action 0", "2 mutation 1", "3 pending 1", "4 cancelled 1", "5 mutation 0",
      ])
    // There is nothing to mend any more, so nothing is logged.
    try await open(store, lockstep: lockstep).close()
    #expect(try lines(store).count == 5)
  }

  @Test(arguments: [false, true])
  func what_another_runs_is_left_alone(_ lockstep: Bool) async throws {
    let store = InMemoryEventStore()
    let gate = Gate()
    let first = try await open(
      store, lockstep: lockstep,
      .task {
        await gate.wait()
        return .note("done")
      })
    let receipt = try await first.send(.work)
    let second = try await open(store, lockstep: lockstep)
    #expect(second.currentState.isBusy)
    try await second.send(.note("meanwhile"))
    await gate.open()
    _ = await receipt.finished
    try await first.close()
    try await second.close()
    #expect(try !lines(store).contains { $0.hasSuffix("mutation 0") })
    #expect(
      try TimeMachine(BusyReactor(), session: "s", in: store).state(at: receipt.version).isBusy)
  }

  @Test(arguments: [false, true])
  func a_retry_comes_after_it(_ lockstep: Bool) async throws {
    let store = InMemoryEventStore()
    let info = try store.transaction {
      try $0.createSession(
        named: SessionName("s"), reactor: "busy", at: Timestamp(microseconds: 1))
    }
    var batch = EventBatch()
    let codec = EventCodec()
    let time = Timestamp(microseconds: 2)
    for (seq, kind, cause, payload) in [
      (1, EventKind.action, 0, try codec.encode(BusyReactor.Action.work)),
      (2, .mutation, 1, try codec.encode(BusyReactor.Mutation.setBusy(true))),
      (3, .pending, 1, Array(#"{"owner":1}"#.utf8)),
    ] {
      batch.append(
        EventHeader(
          seq: Seq(UInt32(seq)), kind: kind, cause: Seq(UInt32(cause)), recordedAt: time),
        payload: payload)
    }
    try store.append(batch, to: info.id, expecting: .zero, schemaVersion: 1)
    let session = try await open(store, lockstep: lockstep, .just(.note("again")), .retry)
    await session.finishEffects()
    try await session.close()
    #expect(
      try lines(store).dropFirst(3) == [
        "4 mutation 0", "5 mutation 1", "6 mutation 1", "7 mutation 1", "8 completed 1",
      ])
    #expect(!session.currentState.isBusy)
  }

  @Test func a_new_session_has_nothing_to_recover() async throws {
    let store = InMemoryEventStore()
    try await open(store, lockstep: false).close()
    #expect(try lines(store) == [])
  }
}
