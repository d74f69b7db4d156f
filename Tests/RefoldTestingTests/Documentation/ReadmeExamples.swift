import EventStoreSQLite
import Refold

/// The Swift code of the README.
enum ReadmeExamples {
  struct CounterReactor: Reactor {
    enum Action: Codable, Sendable {
      case increase(by: Int)
      case reset
    }

    enum Mutation: Codable, Sendable {
      case add(Int)
      case setValue(Int)
    }

    struct State: Codable, Sendable { var value = 0 }

    let initialState = State()

    func mutate(action: Action, state: State) -> Effect<Mutation> {
      switch action {
      case .increase(let amount): .just(.add(amount))
      case .reset: state.value == 0 ? .empty : .just(.setValue(0))
      }
    }

    func reduce(state: inout State, mutation: Mutation) {
      switch mutation {
      case .add(let amount): state.value &+= amount  // must not trap: every replay would
      case .setValue(let value): state.value = value
      }
    }
  }

  static func use() async throws {
    let store = try SQLiteEventStore(path: "app.sqlite")
    let session = try await Session.open(CounterReactor(), named: "s1", in: store)
    try await session.send(.increase(by: 2))  // returns when it is on disk
    print(session.currentState.value)
    let watcher = Task {
      for await state in session.states { print(state.value) }  // the latest, then each change
    }
    let past = try TimeMachine(CounterReactor(), session: "s1", in: store).state(at: 1)
    try await session.close()  // ends what watches, cancels effects; the log stays
    try store.close()
    _ = (watcher, past)
  }
}
