import EventStoreCore
import Foundation

/// How a session behaves; the default is right for an app.
public struct SessionOptions: Sendable {
  /// Whether each action waits for the effect of the one before.
  public var isSequential = false
  /// The most actions in one commit; at least 1. A commit is also bounded by `CommitLimits`.
  public var actionsPerCommit = CommitLimits.events
  /// What becomes of effects that an earlier process left without an end.
  public var interrupted = InterruptedPolicy.leave
  /// What secrets are digested with in the log. A session that is opened again in another process
  /// gives the same digests only with the same key.
  public var secretKey = SecretKey.process
  /// What `recordedAt` is taken from. Where it goes back, times in the log stand still.
  public var now: @Sendable () -> Timestamp = { .now() }
  /// Called on the session's writer queue after each commit, in order: after its states were
  /// published, before its senders are told. A call that blocks holds the session back.
  public var onCommit: (@Sendable (Commit, EventBatch) -> Void)?
  /// Called for what went wrong without stopping the session; from any thread.
  public var onIssue: (@Sendable (SessionIssue) -> Void)?

  /// Called as `onCommit`, with the number of events of each step in the order of the events.
  package var onSteps: (@Sendable (EventBatch, [Int]) -> Void)?
  /// Called after `onSteps` with what the commit holds of actions that were sent under a number.
  package var onAcknowledged: (@Sendable ([Acknowledgement]) -> Void)?
  /// Called with the number of an action that was not accepted, and why.
  package var onRefused: (@Sendable (Int, any Error) -> Void)?
  /// Called while the session opens, before anything of its own is committed.
  package var beforeStart: (@Sendable (SessionInfo) throws -> Void)?
  /// Under which id the session's snapshots are kept; nil for none.
  package var foldID: @Sendable (any Reactor) -> String? = { FoldID.of($0) }
  /// The least events between two snapshots, but for the one that closing leaves. For tests.
  package var eventsBetweenSnapshots = SnapshotPolicy.leastEvents
  /// Called on the writer queue when everyone who waited for a commit has been told.
  package var afterReplies: (@Sendable () -> Void)?

  /// Where it runs what its callers' threads do not do. For tests.
  package var execution = SessionExecution()

  /// The defaults.
  public init() {}

  /// What becomes of interrupted effects when a session opens.
  public enum InterruptedPolicy: Sendable {
    /// They are listed, and stay as they are.
    case leave
    /// Their recorded actions are decided again, under their old cause, on the state as it is now,
    /// which has what the first try had given by then.
    case retry
    /// They are logged as cancelled.
    case drop
  }
}

extension Timestamp {
  /// The system's clock.
  public static func now() -> Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
  }
}
