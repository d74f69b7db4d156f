import Dispatch
import EventStoreCore
import Synchronization

/// Empties the WAL when nothing was committed for a while, so that a store that rests is one file.
final class IdleCheckpoint: Sendable {
  private struct State {
    var commits: UInt64 = 0
    var isScheduled = false
  }

  private let seconds: Double
  private let writers: WriterQueue
  private let queue = DispatchQueue(label: "refold.idle-checkpoint", qos: .utility)
  private let state = Mutex(State())

  /// Watches the commits of `writers`.
  init(seconds: Double, writers: WriterQueue) {
    self.seconds = seconds
    self.writers = writers
  }

  /// To be called after each commit. Costs no more than a mutex unless nothing was going on.
  func noteCommit() {
    let (isFirst, commits) = state.withLock { state in
      defer { state.isScheduled = true }
      state.commits += 1
      return (!state.isScheduled, state.commits)
    }
    if isFirst { schedule(after: commits) }
  }

  private func schedule(after commits: UInt64) {
    queue.asyncAfter(deadline: .now() + seconds) { [weak self] in self?.look(after: commits) }
  }

  private func look(after commits: UInt64) {
    let now = state.withLock { state in
      if state.commits == commits { state.isScheduled = false }
      return state.commits
    }
    guard now == commits else { return schedule(after: now) }
    // Where somebody writes or the store is closed, there is nothing to do.
    _ = try? writers.withWriter(waiting: 0) { try $0.truncateWAL(patience: 0) }
  }
}
