import EventStoreCore
import Refold

/// What a change in a large state costs: the change, and not the state.
struct StateBenchmark: Benchmark {
  static let name = "state"
  static let summary = "one of 10,000 elements of the state changed, the store discards bytes"
  static let operation = "action"

  let variants: [Variant]

  init(count: Int, in folder: TemporaryFolder) async throws {
    let few = max(1, count / 10)
    variants = [
      Variant(name: "1 action a commit", count: few) { try await Self.change(few, perCommit: 1) },
      Variant(name: "100 actions a commit", count: few) {
        try await Self.change(few, perCommit: 100)
      },
      Variant(name: "a state of 1 element", count: few) {
        try await Self.change(few, of: 1, perCommit: 100)
      },
    ]
  }

  private static func change(
    _ count: Int, of cells: Int = 10_000, perCommit limit: Int
  ) async throws -> Sample {
    var options = SessionOptions()
    options.actionsPerCommit = limit
    let session = try Session(
      CellsReactor(count: cells), named: SessionName("s1"), in: DiscardingEventStore(),
      options: options)
    let payload = Array(#"{"add":{"at":0}}"#.utf8)
    let watch = Stopwatch()
    for index in 0..<count {
      let hasRoom = session.submit(
        .add(at: index % cells), payload: payload.span.bytes, reply: .nobody)
      if !hasRoom { session.block(until: .roomForActions) }
    }
    session.block(until: .flushed)
    let sample = watch.stop()
    let sum = session.currentState.cells.reduce(0, +)
    guard sum == count else {
      throw BenchError.wrongResult("the cells sum up to \(sum), expected \(count)")
    }
    try await session.close()
    return sample
  }
}

/// A row of numbers.
private struct CellsReactor: Reactor {
  enum Action: Codable, Sendable { case add(at: Int) }
  enum Mutation: Codable, Sendable { case add(at: Int) }
  struct State: Codable, Sendable { var cells: [Int] }

  let initialState: State

  init(count: Int) { initialState = State(cells: Array(repeating: 0, count: count)) }

  func mutate(action: Action, state: State) -> Effect<Mutation> {
    switch action {
    case .add(let index): .just(.add(at: index))
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .add(let index): state.cells[index] += 1
    }
  }
}
