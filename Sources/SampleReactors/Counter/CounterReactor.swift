import Refold

/// The smallest reactor: a number that goes up and can be reset.
public struct CounterReactor: Reactor {
  /// What can be asked for.
  public enum Action: Codable, Sendable {
    case increase(by: Int)
    case reset
  }

  /// What can happen.
  public enum Mutation: Codable, Sendable {
    case add(Int)
    case setValue(Int)
  }

  /// A number.
  public struct State: Codable, Equatable, Sendable {
    /// The number.
    public var value = 0
  }

  /// Zero.
  public let initialState = State()

  /// A counter.
  public init() {}

  /// One of each action.
  public static var exampleActions: [Action] { [.increase(by: 2), .reset] }

  /// Adds; resets unless the number is zero already. A sum that does not fit is refused.
  public func mutate(action: Action, state: State) -> Effect<Mutation> {
    switch action {
    case .increase(let amount):
      state.value.addingReportingOverflow(amount).overflow
        ? .fail(CounterError.overflow(value: state.value, amount: amount)) : .just(.add(amount))
    case .reset: state.value == 0 ? .empty : .just(.setValue(0))
    }
  }

  /// Folds wrapping, so that no log can trap.
  public func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .add(let amount): state.value &+= amount
    case .setValue(let value): state.value = value
    }
  }
}

/// What a counter refuses.
public enum CounterError: Error, Sendable, CustomStringConvertible {
  /// The sum does not fit 64 bits.
  case overflow(value: Int, amount: Int)

  /// What was wrong.
  public var description: String {
    switch self {
    case .overflow(let value, let amount): "\(value) + \(amount) does not fit 64 bits"
    }
  }
}
