/// What turns actions into mutations and folds mutations into state.
///
///     struct CounterReactor: Reactor {
///       enum Action: Codable, Sendable { case increase(by: Int), reset }
///       enum Mutation: Codable, Sendable { case add(Int), setValue(Int) }
///       struct State: Codable, Sendable { var value = 0 }
///
///       let initialState = State()
///
///       func mutate(action: Action, state: State) -> Effect<Mutation> {
///         switch action {
///         case .increase(let amount): .just(.add(amount))
///         case .reset: state.value == 0 ? .empty : .just(.setValue(0))
///         }
///       }
///
///       func reduce(state: inout State, mutation: Mutation) {
///         switch mutation {
///         case .add(let amount): state.value += amount
///         case .setValue(let value): state.value = value
///         }
///       }
///     }
///
/// Every call happens on the session's loop, one at a time in the order of the log. When another
/// process has appended to the same session, `mutate` is asked again about actions that are not yet
/// durable, and the effects of the first answers never start. A reactor that transforms mutations
/// is decided under the store's lock instead, each action once, on the session's writer queue.
public protocol Reactor: Sendable {
  /// What can be asked for. Its Codable form is the form of an input line.
  associatedtype Action: Codable & Sendable
  /// What can happen to the state. Its Codable form is what the log keeps for ever.
  associatedtype Mutation: Codable & Sendable
  /// What the mutations add up to.
  associatedtype State: Codable & Sendable

  /// The name under which sessions of this reactor are recorded. By default the type's name
  /// without its `Reactor`, in kebab case: `CreatePostReactor` is `create-post`.
  static var name: String { get }

  /// Recorded with every commit, for the day on which Mutation changes. By default 1.
  static var schemaVersion: Int { get }

  /// One value of each action, to show people what a line of input looks like. By default none.
  static var exampleActions: [Action] { get }

  /// The state at seq 0. It must not depend on settings, clock or environment: the log of a
  /// session folds onto it on every machine.
  var initialState: State { get }

  /// Decides what `action` leads to, given the state at that moment.
  func mutate(action: Action, state: State) -> Effect<Mutation>

  /// Applies `mutation`. It must be a pure function of its two arguments.
  func reduce(state: inout State, mutation: Mutation)

  /// Changes, drops or adds actions on their way to `mutate`. Asked once, when a session opens.
  /// What the log keeps is the action as it was sent.
  func transform(action: Effect<Action>) -> Effect<Action>

  /// Changes, drops or adds mutations on their way to `reduce`: the place to merge what comes from
  /// outside any action, such as a relay. Asked once, when a session opens.
  func transform(mutation: Effect<Mutation>) -> Effect<Mutation>

  /// Changes states on their way to observers; reaches neither `reduce` nor the log. Asked once,
  /// when a session opens.
  func transform(state: Effect<State>) -> Effect<State>
}

extension Reactor {
  /// The type's name without its `Reactor`, in kebab case.
  public static var name: String { kebabCased(String(describing: Self.self)) }

  /// 1.
  public static var schemaVersion: Int { 1 }

  /// None.
  public static var exampleActions: [Action] { [] }

  /// Actions as they are.
  public func transform(action: Effect<Action>) -> Effect<Action> { action }

  /// Mutations as they are.
  public func transform(mutation: Effect<Mutation>) -> Effect<Mutation> { mutation }

  /// States as they are.
  public func transform(state: Effect<State>) -> Effect<State> { state }
}

private func kebabCased(_ typeName: String) -> String {
  var stem = Substring(typeName)
  if stem.hasSuffix("Reactor"), stem.count > 7 { stem = stem.dropLast(7) }
  var name = ""
  var previous: Character?
  for character in stem {
    if character.isUppercase, let previous, !previous.isUppercase { name.append("-") }
    name.append(contentsOf: character.lowercased())
    previous = character
  }
  return name
}
