import EventStoreTesting
import Synchronization

@testable import Refold

/// What one simulated process has to do: the tasks of its effects, and its queues. Nothing runs by
/// itself: the simulation takes one piece at a time, chosen by its seed.
///
/// Any waiting task may be the next, as with threads. Of a queue the oldest piece is.
final class SimulatedExecutor: TaskExecutor {
  private struct Waiting {
    var tasks: [UnownedJob] = []
    /// By the number of the queue.
    var queued: [Int: [@Sendable () -> Void]] = [:]
    var queues = 0
  }

  private let waiting = Mutex(Waiting())

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    waiting.withLock { $0.tasks.append(job) }
  }

  /// A new queue.
  func queue() -> SessionExecution.SerialQueue {
    let number = waiting.withLock { waiting in
      waiting.queues += 1
      return waiting.queues
    }
    return { [self] work in
      waiting.withLock { $0.queued[number, default: []].append(work) }
    }
  }

  /// Whether nothing waits.
  var isIdle: Bool { waiting.withLock { $0.tasks.isEmpty && $0.queued.isEmpty } }

  /// Takes out one piece of work, which runs to its end or to where it waits for something.
  ///
  /// - Parameter tasksOnly: whether pieces of queues, which may write to the store, stay.
  /// - Returns: nil where nothing waits.
  func next(
    tasksOnly: Bool = false, _ random: inout SeededGenerator
  ) -> (@Sendable () -> Void)? {
    waiting.withLock { waiting in
      let queues = tasksOnly ? [] : waiting.queued.keys.sorted()
      let count = waiting.tasks.count + queues.count
      guard count > 0 else { return nil }
      let choice = random.below(count)
      if choice < waiting.tasks.count {
        let job = waiting.tasks.remove(at: choice)
        return { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
      }
      let queue = queues[choice - waiting.tasks.count]
      let work = waiting.queued[queue]?.removeFirst()
      if waiting.queued[queue]?.isEmpty == true { waiting.queued[queue] = nil }
      return work
    }
  }

  /// What a session is given to run on this.
  var execution: SessionExecution {
    var execution = SessionExecution()
    execution.queue = { [self] _ in queue() }
    execution.snapshots = queue()
    execution.tasks = self
    return execution
  }
}
