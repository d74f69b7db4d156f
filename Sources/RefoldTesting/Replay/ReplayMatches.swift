import Dispatch
import EventStoreCore
import Foundation
import Refold
import Testing

/// Asserts that today's code does with a recorded session what the code did that recorded it.
///
///     @Test func what_a_customer_recorded_still_holds() async throws {
///       try await replayMatches(CheckoutReactor(), log: "Recorded/customer-17.log")
///     }
///
/// Every mutation has to be readable. For each action today's `mutate`, asked in the state of that
/// moment, has to give the recorded first step: what came at once, and whether the effect took time.
/// What an effect gave later is not asked for again: what the outside world answered is in the log.
/// Nothing that takes time is started. An action about which `mutate` asks for a secret's value is
/// passed over, since no log has it. The first difference fails the test, named with its seq and shown as a diff.
///
/// Values are compared as today's types read them. What `mutate` takes from elsewhere than action and
/// state, such as a clock or a generator of ids, has to be the same for the same log.
///
/// - Parameters:
///   - reactor: today's code.
///   - path: what `export --as log` wrote; a relative path starts from the folder of the test's file.
/// - Returns: how much there was to compare.
/// - Throws: `SessionError.otherReactor`; an error where the file is missing, cut off or altered.
/// - Complexity: O(n) in the events, all of which are in memory.
@discardableResult
nonisolated(nonsending) public func replayMatches<R: Reactor>(
  _ reactor: R, log path: String, sourceLocation: SourceLocation = #_sourceLocation,
  testFile: String = #filePath
) async throws -> ReplayComparison {
  let folder = URL(fileURLWithPath: testFile).deletingLastPathComponent()
  let file = URL(fileURLWithPath: path, relativeTo: folder).path
  return try await compared(reactor, at: sourceLocation) { try RecordedLog(file: file) }
}

/// Asserts that today's code does with a recorded session what the code did that recorded it.
///
/// As for a log file; and today's `reduce` has to give the states that snapshots in the store have
/// recorded.
///
/// - Parameters:
///   - reactor: today's code.
///   - name: the session's name.
///   - store: where the session is.
/// - Returns: how much there was to compare.
/// - Throws: `SessionError.noSuchSession`, `.otherReactor`; `EventStoreError`.
/// - Complexity: O(n) in the events, twice read.
@discardableResult
nonisolated(nonsending) public func replayMatches<R: Reactor>(
  _ reactor: R, session name: String, in store: any EventStore,
  sourceLocation: SourceLocation = #_sourceLocation
) async throws -> ReplayComparison {
  try await compared(reactor, at: sourceLocation) { try RecordedLog(session: name, in: store) }
}

/// How much of a recorded session could be compared, up to the first difference.
public struct ReplayComparison: Hashable, Sendable {
  /// The events looked at.
  public var events: Int
  /// The actions whose effects gave everything at once.
  public var actions: Int
  /// The actions whose effects took time: only the first step of these is compared.
  public var actionsWithEffects: Int
  /// The recorded states that today's `reduce` was held to.
  public var snapshots: Int

  /// A comparison of this much.
  public init(
    events: Int = 0, actions: Int = 0, actionsWithEffects: Int = 0, snapshots: Int = 0
  ) {
    self.events = events
    self.actions = actions
    self.actionsWithEffects = actionsWithEffects
    self.snapshots = snapshots
  }
}

private nonisolated(nonsending) func compared<R: Reactor>(
  _ reactor: R, at sourceLocation: SourceLocation,
  _ log: @escaping @Sendable () throws -> RecordedLog
) async throws -> ReplayComparison {
  // Stores and files block, which the cooperative pool must not.
  let (comparison, difference) = try await withCheckedThrowingContinuation { continuation in
    DispatchQueue(label: "refold.testing.replay").async {
      continuation.resume(
        with: Result {
          var replay = try Replay(reactor, try log())
          let difference = try replay.firstDifference()
          return (replay.comparison, difference)
        })
    }
  }
  if let difference {
    Issue.record(Comment(rawValue: difference), sourceLocation: sourceLocation)
  }
  return comparison
}
