import EventStoreCore
import Synchronization

/// Asks a reactor's `mutate` about one action after the other, each in the state that it is given,
/// and collects what comes at once: the first step. Nothing that takes time starts.
///
/// The transforms of actions and mutations are in place, begun once; what they merge from outside is
/// left out.
package final class MutateProbe<R: Reactor> {
  /// What one action gave.
  package struct Answer {
    package fileprivate(set) var mutations: [R.Mutation] = []
    /// With what its effect failed, if it did.
    package fileprivate(set) var failure: (any Error)?
    /// Whether an effect takes time.
    package fileprivate(set) var goesOn = false
    /// Whether `transform(action:)` made several actions of it.
    package var isSplit: Bool { asked > 1 }
    /// Whether the reactor wanted to know a secret that the log does not tell: then the answer says
    /// nothing about what it answered with the secret.
    package fileprivate(set) var lacksSecret = false
    /// The ids under which its effect can be cancelled, as far as that takes time.
    fileprivate(set) var cancellableUnder: Set<CancellationID> = []
    /// The ids under which it cancels what runs.
    fileprivate(set) var cancels: Set<CancellationID> = []
    fileprivate var asked = 0
  }

  let reactor: R
  private let loop = ProbeLoop()
  private let outbox = Outbox<R>()
  private var actions: Pipeline<R.Action>?
  private var mutations: Pipeline<R.Mutation>?

  /// A probe of `reactor`.
  package init(_ reactor: R) {
    self.reactor = reactor
    let outbox = outbox
    actions = Pipeline(loop: loop, isStill: true, transform: reactor.transform(action:)) {
      outbox.append(.action($0, cause: $1))
    } failed: {
      outbox.append(.failed($0, cause: $1))
    }
    mutations = Pipeline(loop: loop, isStill: true, transform: reactor.transform(mutation:)) {
      outbox.append(.mutation($0, cause: $1))
    } failed: {
      outbox.append(.failed($0, cause: $1))
    }
    // What relays say on opening is in the log already.
    _ = outbox.drain()
  }

  deinit {
    actions?.close()
    mutations?.close()
  }

  /// What `action`, which is at `cause`, leads to in `state`.
  package func answer(to action: R.Action, at cause: Seq, in state: R.State) -> Answer {
    var asking = Asking(cause: cause, state: state)
    _ = loop.takeCancelled()
    let reads = SecretReads()
    SecretReads.$current.withValue(reads) {
      if let actions, actions.push(action, cause: cause) {
        take(outbox.drain(), &asking)
      } else {
        ask(action, &asking)
      }
    }
    asking.answer.lacksSecret = reads.happened
    asking.answer.cancels = loop.takeCancelled()
    return asking.answer
  }

  private struct Asking {
    let cause: Seq
    var answer = Answer()
    /// The state of the first `reduced` mutations.
    private var state: R.State
    private var reduced = 0

    init(cause: Seq, state: R.State) {
      self.cause = cause
      self.state = state
    }

    /// The state with all mutations so far: seldom more than the one given, which is not copied.
    mutating func latest(_ reactor: R) -> R.State {
      for mutation in answer.mutations[reduced...] {
        reactor.reduce(state: &state, mutation: mutation)
      }
      reduced = answer.mutations.count
      return state
    }
  }

  private func ask(_ action: R.Action, _ asking: inout Asking) {
    asking.answer.asked += 1
    let effect = reactor.mutate(action: action, state: asking.latest(reactor))
    switch effect.core {
    case .single(let mutation): give(mutation, &asking)
    case .values(let mutations): for mutation in mutations { give(mutation, &asking) }
    case .stream: begin(effect, &asking)
    }
  }

  private func give(_ mutation: R.Mutation, _ asking: inout Asking) {
    guard let mutations, mutations.push(mutation, cause: asking.cause) else {
      return asking.answer.mutations.append(mutation)
    }
    take(outbox.drain(), &asking)
  }

  private func begin(_ effect: Effect<R.Mutation>, _ asking: inout Asking) {
    let run = EffectRun(cause: asking.cause, loop: loop)
    let (outbox, mutations) = (outbox, mutations)
    effect.begin(in: run.scope) { signal in
      let outcome: EffectOutcome
      switch signal {
      case .next(let mutation, let cause):
        if mutations?.push(mutation, cause: cause) != true {
          outbox.append(.mutation(mutation, cause: cause))
        }
        return
      case .finished: outcome = .completed
      case .cancelled: outcome = .cancelled
      case .failed(let error): outcome = .failed(error)
      }
      if run.scope.cancel() { outbox.append(.end(run, outcome)) }
    }
    if !take(outbox.drain(), &asking) {
      asking.answer.goesOn = true
      asking.answer.cancellableUnder.formUnion(loop.cancellations.ids(of: run))
    }
    run.discard()
    // What an effect gives up because it is discarded is nothing that it gave.
    _ = outbox.drain()
  }

  /// Collects what effects and transforms just gave for the action that is asked about.
  /// - Returns: whether the effect that was begun ended.
  @discardableResult
  private func take(_ outputs: [Output<R>], _ asking: inout Asking) -> Bool {
    var hasEnded = false
    for output in outputs {
      switch output {
      case .mutation(let mutation, let cause):
        if cause == asking.cause { asking.answer.mutations.append(mutation) }
      case .action(let action, let cause):
        if cause == asking.cause { ask(action, &asking) }
      case .end(_, .failed(let error)):
        hasEnded = true
        note(error, &asking)
      case .end: hasEnded = true
      case .failed(let error, let cause):
        if cause == asking.cause { note(error, &asking) }
      }
    }
    return hasEnded
  }

  private func note(_ error: any Error, _ asking: inout Asking) {
    if asking.answer.failure == nil { asking.answer.failure = error }
  }
}

/// A loop on which nothing ever arrives.
private final class ProbeLoop: EffectLoop {
  let cancellations: CancellationRegistry
  let tasks = TaskCounter()
  private let cancelled: CancelledIDs

  /// Apart from the loop, so that the registry does not keep the loop.
  private final class CancelledIDs: Sendable {
    let ids = Mutex<Set<CancellationID>>([])
  }

  init() {
    let cancelled = CancelledIDs()
    self.cancelled = cancelled
    cancellations = CancellationRegistry { id in cancelled.ids.withLock { _ = $0.insert(id) } }
  }

  /// The ids that were cancelled since the last call.
  func takeCancelled() -> Set<CancellationID> {
    cancelled.ids.withLock { ids in
      defer { ids = [] }
      return ids
    }
  }

  func enqueue(in scope: EffectScope, _ body: @escaping @Sendable () -> Void) {}
  func room() async {}
  func report(_ issue: SessionIssue) {}
}
