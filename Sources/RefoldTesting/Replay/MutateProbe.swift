import EventStoreCore
import Refold
import Synchronization

/// Asks a reactor's `mutate` about one action after the other, each in the state that it is given,
/// and collects what comes at once. Effects that take time do not start.
///
/// The transforms of actions and mutations are in place, begun once.
final class MutateProbe<R: Reactor> {
  /// What one action gave.
  struct Answer {
    var mutations: [R.Mutation] = []
    /// With what its effect failed, if it did.
    var failure: (any Error)?
    fileprivate var asked = 0
    fileprivate var ended = 0

    /// Whether an effect takes time.
    var goesOn: Bool { failure == nil && asked > ended }
  }

  private let store: HeldStore
  private let tape: Tape<R>
  private let session: Session<ProbedReactor<R>>

  /// Opens the session that is asked. End with `close`.
  init(_ reactor: R) throws {
    let memory = InMemoryEventStore()
    _ = try memory.transaction { transaction in
      try transaction.createSession(
        named: try SessionName("probe"), reactor: R.name, at: Timestamp(microseconds: 0))
    }
    store = HeldStore(memory)
    tape = Tape(reactor)
    var options = SessionOptions()
    options.mayDecideUnderLock = false
    session = try Session(
      ProbedReactor(reactor: reactor, tape: tape), named: try SessionName("probe"), in: store,
      options: options)
  }

  /// What `action` leads to in `state`.
  func answer(to action: R.Action, payload: [UInt8], in state: R.State) -> Answer {
    tape.begin(in: state)
    // The loop works on the calling thread, so it has decided when this returns.
    session.submit(action, payload: payload) { _ in }
    return tape.take()
  }

  /// Discards all that was decided.
  func close() { store.release() }
}

/// What the probed reactor is asked and gives.
private final class Tape<R: Reactor>: Sendable {
  private let content: Mutex<Content>

  private struct Content {
    var state: R.State
    var answer = MutateProbe<R>.Answer()
  }

  init(_ reactor: R) { content = Mutex(Content(state: reactor.initialState)) }

  func begin(in state: R.State) { content.withLock { $0 = Content(state: state) } }

  func take() -> MutateProbe<R>.Answer { content.withLock { $0.answer } }

  func ask() -> R.State {
    content.withLock { content in
      content.answer.asked += 1
      return content.state
    }
  }

  func noteEnd() { content.withLock { $0.answer.ended += 1 } }

  func note(_ error: any Error) { content.withLock { $0.answer.failure = error } }

  func reduce(_ mutation: R.Mutation, with reactor: R) {
    content.withLock { content in
      content.answer.mutations.append(mutation)
      reactor.reduce(state: &content.state, mutation: mutation)
    }
  }
}

/// A reactor that decides as the one inside it does, in the state of the tape.
private struct ProbedReactor<R: Reactor>: Reactor {
  struct State: Codable, Sendable {}

  let reactor: R
  let tape: Tape<R>
  var initialState: State { State() }

  static var name: String { R.name }

  func mutate(action: R.Action, state: State) -> Effect<R.Mutation> {
    .concat(
      reactor.mutate(action: action, state: tape.ask()).catch { [tape] error in
        tape.note(error)
        return .fail(error)
      },
      .deferred { [tape] in
        tape.noteEnd()
        return .empty
      })
  }

  func reduce(state: inout State, mutation: R.Mutation) { tape.reduce(mutation, with: reactor) }

  func transform(action: Effect<R.Action>) -> Effect<R.Action> {
    reactor.transform(action: action)
  }

  func transform(mutation: Effect<R.Mutation>) -> Effect<R.Mutation> {
    reactor.transform(mutation: mutation)
  }
}
