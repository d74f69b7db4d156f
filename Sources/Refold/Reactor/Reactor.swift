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
///         case .add(let amount): state.value &+= amount  // must not trap: every replay would
///         case .setValue(let value): state.value = value
///         }
///       }
///     }
///
/// A reactor holds no state of its own: a `Session` keeps that, and one reactor may serve several.
/// Of one session, `mutate` is called one at a time, in the order of the log, on whichever thread
/// has work for the session. `reduce` is called twice about each mutation: at once for the state
/// that is decided on, and again, possibly at the same time as for later ones, for the state that
/// observers see once the commit is durable. Replay calls `reduce` and nothing else. They should be
/// quick, and never wait: what takes time is an effect.
///
/// When another process has appended to the same session, `mutate` is asked again about actions
/// that are not yet durable, and the effects of the first answers never start. A session whose
/// reactor has a `transform(mutation:)` or a `transform(state:)` asks once about each action
/// instead, on its writer queue and under the store's lock.
public protocol Reactor: Sendable {
  /// What can be asked for. Its Codable form is that of a line of input, and what the log keeps.
  associatedtype Action: Codable & Sendable
  /// What can happen to the state. Its Codable form is what the log keeps for ever.
  associatedtype Mutation: Codable & Sendable
  /// What the mutations add up to. A value: a session folds it twice, ahead of the store and behind
  /// it, and an object in it that `reduce` changed in place would be both folds' at once.
  associatedtype State: Codable & Sendable

  /// The name under which sessions of this reactor are recorded. By default the type's name
  /// without its `Reactor`, in kebab case: `CreatePostReactor` is `create-post`.
  static var name: String { get }

  /// Recorded with every commit, for the day on which Mutation changes. By default 1.
  static var schemaVersion: Int { get }

  /// One value of each action, to show people what a line of input looks like. By default none.
  static var exampleActions: [Action] { get }

  /// The state at seq 0, before any event. It must not depend on settings, clock or environment:
  /// the log of a session folds onto it on every machine.
  var initialState: State { get }

  /// Decides what `action` leads to, given the state at that moment, with every earlier mutation
  /// in it.
  ///
  /// What the effect gives at once is committed together with the action. What takes time starts
  /// when that commit is durable. Never asked by replay.
  func mutate(action: Action, state: State) -> Effect<Mutation>

  /// Applies `mutation`, in place. It must be a pure function of its two arguments, and must not
  /// trap on any of them: it runs again at every replay of the log.
  func reduce(state: inout State, mutation: Mutation)

  /// What to make of a state whose effects did not come to their end: a process was killed, or closed
  /// the session, while `isLoading` was true, and nobody is left to set it back.
  ///
  ///     func recover(state: State) -> Mutation? { state.isLoading ? .setLoading(false) : nil }
  ///
  /// Asked once, when a session with a log opens and no other process runs an effect of it. The
  /// mutation has cause 0, and is logged only if it changes the state. What is retried comes after it.
  func recover(state: State) -> Mutation?

  /// Changes, drops or adds actions on their way to `mutate`. Asked once, when a session opens.
  /// What the log keeps is the action as it was sent; one that is dropped has no mutations.
  func transform(action: Effect<Action>) -> Effect<Action>

  /// Changes, drops or adds mutations on their way to the log and `reduce`: the place to merge what
  /// comes from outside any action, such as a relay. Asked once, when a session opens. What it
  /// gives at once on opening is logged only if it changes the state.
  ///
  /// Unless it gives its stream back unchanged, every action of the session is decided under the
  /// store's lock: other writers wait while `mutate` and `reduce` run, and neither may write to the
  /// store.
  func transform(mutation: Effect<Mutation>) -> Effect<Mutation>

  /// Changes states on their way to observers; reaches neither `reduce` nor the log. Asked once,
  /// when a session opens. Unless it gives its stream back unchanged, actions are decided as with
  /// `transform(mutation:)`.
  func transform(state: Effect<State>) -> Effect<State>

  /// For sessions alone; see its implementation, which is the only one.
  func _decide(
    _ action: Action, state: inout State, log: _StepLog, actions: inout [Action],
    mutations: inout [Mutation], rest: inout Effect<Mutation>?
  ) throws -> Bool

  /// For sessions alone; see its implementation, which is the only one.
  func _reduce(
    _ mutation: Mutation, state: inout State, log: _StepLog, mutations: inout [Mutation]
  ) throws

  /// For sessions alone; see its implementation, which is the only one.
  func _fold(_ mutations: [Mutation], _ range: Range<Int>, state: inout State)

  /// For folds alone; see its implementation, which is the only one.
  func _fold(_ payload: RawSpan, _ codec: EventCodec, state: inout State) throws(CodecError)
}

extension Reactor {
  /// The type's name without its `Reactor`, in kebab case.
  public static var name: String {
    // Not String(describing:), which first looks in every library whether the type describes itself:
    // a fifth of a millisecond for each reactor of a tool, whenever that starts.
    kebabCased(_typeName(Self.self, qualified: false))
  }

  /// 1.
  public static var schemaVersion: Int { 1 }

  /// None.
  public static var exampleActions: [Action] { [] }

  /// Nothing.
  public func recover(state: State) -> Mutation? { nil }

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
