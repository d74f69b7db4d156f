import Dispatch
import EventStoreCore
import Synchronization

/// What a worker has still to do, and what it has to tell: the one place that two threads share.
///
/// Of positions and of searches for a change only the newest counts; chores wait for their turn.
final class StateQueue: Sendable {
  /// What to do next.
  enum Task: Sendable {
    case position(StateRequest.Position, ticket: Int)
    case change(StateRequest.Change, ticket: Int)
    case chore(StateRequest.Chore)
    /// Nothing was asked for: time for what may be asked for later.
    case idle
    case stop
  }

  private struct State {
    var position: StateRequest.Position?
    var change: StateRequest.Change?
    var chores: [StateRequest.Chore] = []
    /// The numbers of the newest position and search: older ones are given up.
    var positionTicket = 0
    var changeTicket = 0
    var isStopped = false
    var reports: [StateReport] = []
  }

  private let state = Mutex(State())
  private let news = DispatchSemaphore(value: 0)
  private let wake: @Sendable () -> Void

  /// A queue that calls `wake` when there are reports.
  init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

  /// The next task, without waiting.
  func next() -> Task {
    state.withLock { state in
      if state.isStopped { return .stop }
      if let position = state.position.take() {
        return .position(position, ticket: state.positionTicket)
      }
      if !state.chores.isEmpty { return .chore(state.chores.removeFirst()) }
      if let change = state.change.take() { return .change(change, ticket: state.changeTicket) }
      return .idle
    }
  }

  /// Returns once something was asked for since the last wait.
  func wait() { news.wait() }

  /// Whether the position or search with `ticket` is still wanted.
  func wantsPosition(_ ticket: Int) -> Bool {
    state.withLock { !$0.isStopped && $0.positionTicket == ticket }
  }

  func wantsChange(_ ticket: Int) -> Bool {
    state.withLock { !$0.isStopped && $0.changeTicket == ticket }
  }

  /// Whether nothing waits.
  var isIdle: Bool {
    state.withLock {
      !$0.isStopped && $0.position == nil && $0.change == nil && $0.chores.isEmpty
    }
  }

  func report(_ report: StateReport) {
    state.withLock { $0.reports.append(report) }
    wake()
  }

  func takeReports() -> [StateReport] {
    state.withLock { state in
      defer { state.reports = [] }
      return state.reports
    }
  }
}

extension StateQueue {
  func ask(_ position: StateRequest.Position) {
    state.withLock { state in
      state.position = position
      state.positionTicket += 1
      state.change = nil
      state.changeTicket += 1
    }
    news.signal()
  }

  func ask(_ change: StateRequest.Change?) {
    state.withLock { state in
      state.change = change
      state.changeTicket += 1
    }
    news.signal()
  }

  func ask(_ chore: StateRequest.Chore) {
    state.withLock { $0.chores.append(chore) }
    news.signal()
  }

  func stop() {
    state.withLock { $0.isStopped = true }
    news.signal()
  }
}
