import Dispatch
import Synchronization

/// Real time, the last resort: it only ends the wait for what does not come.
///
/// It runs out in small parts, and between two of them tasks and queues that wait for their turn get
/// one, since what is waited for may be among them: where a machine is so busy that nothing moves, no
/// patience is lost meanwhile. Nothing goes on once the last reference is gone.
final class Patience: Sendable {
  /// In how many parts it runs out.
  static let parts = 20
  private static let queue = DispatchQueue(label: "refold.testing.patience")

  private let part: Double
  private let turn: @Sendable (@escaping @Sendable () -> Void) -> Void
  private let state = Mutex(State())

  private struct State {
    var left = Patience.parts
    var end: (@Sendable () -> Void)?
  }

  /// Begins to run out.
  /// - Parameter turn: gives everything else a turn, then calls what it gets.
  init(
    _ duration: Duration,
    turn: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = Patience.everyone
  ) {
    part = max(0, duration / .seconds(1)) / Double(Self.parts)
    self.turn = turn
    runOut()
  }

  /// Whether it has run out.
  var isOver: Bool { state.withLock { $0.left == 0 } }

  /// Calls `end` once it has run out, instead of what it was told to call before; at once where it has.
  func whenOver(_ end: @escaping @Sendable () -> Void) {
    let isOver = state.withLock { state in
      if state.left > 0 { state.end = end }
      return state.left == 0
    }
    if isOver { end() }
  }

  private func runOut() {
    DispatchQueue.global().asyncAfter(deadline: .now() + part) { [weak self, turn] in
      turn { [weak self] in self?.partIsOver() }
    }
  }

  private func partIsOver() {
    let (isOver, end) = state.withLock { state in
      state.left -= 1
      let isOver = state.left == 0
      return (isOver, isOver ? state.end.take() : nil)
    }
    if isOver { end?() } else { runOut() }
  }

  /// A task behind those that wait, and a block behind those of queues.
  @Sendable private static func everyone(_ next: @escaping @Sendable () -> Void) {
    Task.detached { queue.async(execute: next) }
  }
}
