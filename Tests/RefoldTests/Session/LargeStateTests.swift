import EventStoreCore
import Refold
import Synchronization
import Testing

@Suite struct LargeStateTests {
  @Test(arguments: [false, true])
  func a_change_in_a_large_state_copies_the_state_no_further(isWatched: Bool) async throws {
    let copies = Mutex(0)
    let session = try await Session.open(
      CellsReactor { copies.withLock { $0 += 1 } }, named: "s", in: InMemoryEventStore())
    let observation = isWatched ? session.observe { _ in } : nil
    for index in 0..<50 { try await session.send(.add(at: index)) }
    for index in 0..<50 { session.enqueue(.add(at: index)) }
    await session.finishEffects()
    let cells = session.currentState.cells
    #expect(cells.prefix(50).allSatisfy { $0 == 2 } && cells[50...].allSatisfy { $0 == 0 })
    // Once for the state that is decided on and once for the durable one, which begin as one.
    #expect(copies.withLock { $0 } <= 2)
    // Folds the log once more, to hold its snapshot to that.
    try await session.close()
    observation?.cancel()
  }

  @Test func a_state_that_somebody_keeps_stays_as_it_was() async throws {
    let session = try await Session.open(
      CellsReactor {}, named: "s", in: InMemoryEventStore())
    try await session.send(.add(at: 0))
    let kept = session.currentState
    try await session.send(.add(at: 0))
    #expect(kept.cells[0] == 1)
    #expect(session.currentState.cells[0] == 2)
    try await session.close()
  }
}

/// A row of numbers that tells when changing one of them copies them all.
private struct CellsReactor: Reactor {
  enum Action: Codable, Sendable { case add(at: Int) }
  enum Mutation: Codable, Sendable { case add(at: Int) }
  struct State: Codable, Sendable {
    var cells = [Int](repeating: 0, count: 10_000)

    var address: UInt { cells.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
  }

  let initialState = State()
  let copied: @Sendable () -> Void

  init(copied: @escaping @Sendable () -> Void) { self.copied = copied }

  func mutate(action: Action, state: State) -> Effect<Mutation> {
    switch action {
    case .add(let index): .just(.add(at: index))
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    let address = state.address
    switch mutation {
    case .add(let index): state.cells[index] += 1
    }
    if state.address != address { copied() }
  }
}
