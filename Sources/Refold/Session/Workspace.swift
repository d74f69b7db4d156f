import EventStoreCore

/// What the loop works on: the state ahead of the store, and room to write steps in. Whoever has it
/// is the loop.
///
/// `@unchecked Sendable` because exactly one thread uses it at a time: the one that took it out of
/// `SessionCore.workspace`, under the session's lock, and puts it back there when it is done. Being an
/// object, it changes hands without a second reference to the state, which would make every
/// `reduce` copy what it touches.
final class Workspace<R: Reactor>: @unchecked Sendable {
  var working: Working<R.State>
  var scratch = EventBatch()
  var payload: [UInt8] = []
  var actions: Pipeline<R.Action>?
  var mutations: Pipeline<R.Mutation>?
  var states: Pipeline<R.State>?
  /// Where actions have moved to that `transform(action:)` may still hold under their first seq.
  var moved: [Seq: Seq] = [:]

  init(working: Working<R.State>) { self.working = working }

  /// The seq that the action now has which a transform may hold under `seq`.
  func present(_ seq: Seq) -> Seq { moved.isEmpty ? seq : moved[seq] ?? seq }

  /// Takes note that actions were decided again elsewhere in the log.
  func note(moves: [Seq: Seq]) {
    if moves.isEmpty { return }
    moved = moved.mapValues { moves[$0] ?? $0 }.merging(moves) { first, _ in first }
  }
}
