import EventStoreCore
import Synchronization

/// What waits to be taken up by the loop.
enum Input: Sendable {
  case action(any Accepted)
  /// A signal of a running effect or a relay.
  case signal(EffectScope, @Sendable () -> Void)
  /// Something of the session's own.
  case script(any Script)
  /// The session is closing.
  case cancelEffects
}

/// What the session itself wants decided.
protocol Script: AnyObject, Sendable {}

/// The decisions of a script.
final class ReactorScript<R: Reactor>: Script {
  let decisions: [Decision<R>]

  init(_ decisions: [Decision<R>]) { self.decisions = decisions }
}

/// What effects and transforms gave while one input was taken up.
enum Output<R: Reactor>: Sendable {
  case action(R.Action, cause: Seq)
  case mutation(R.Mutation, cause: Seq)
  case end(EffectRun, EffectOutcome)
  /// A transform failed on an element that came from the action `cause`.
  case failed(any Error, cause: Seq)
}

/// The outputs of the moment. Written and emptied only on the loop; the lock is what lets sinks,
/// which are sendable, refer to it.
final class Outbox<R: Reactor>: Sendable {
  private let outputs = Mutex<[Output<R>]>([])

  func append(_ output: Output<R>) { outputs.withLock { $0.append(output) } }

  func drain() -> [Output<R>] {
    outputs.withLock { outputs in
      defer { outputs.removeAll(keepingCapacity: true) }
      return outputs
    }
  }
}
