import EventStoreCore
import JSONTree

/// A place of a recorded log at which today's code does something else.
package struct LogDifference: Sendable {
  /// The event at which it is.
  package let seq: Seq
  /// The action that was decided otherwise, where it is about a decision.
  package let action: Action?
  package let kind: Kind

  /// A recorded action.
  package struct Action: Sendable {
    package let seq: Seq
    package let payload: [UInt8]
  }

  /// What is different.
  package enum Kind: Sendable {
    /// Today's types cannot read the event.
    case unreadable(EventKind, type: String, reason: String, payload: [UInt8])
    /// Today's `mutate` gives another mutation.
    case otherMutation(recorded: JSONValue, today: JSONValue)
    /// It does not give this one any more.
    case mutationGone(payload: [UInt8])
    /// It gives these as well.
    case moreMutations([[UInt8]])
    /// The effect gave everything at once, and takes time today.
    case takesTime
    /// The effect took time, and gives everything at once today.
    case takesNoTime
    /// The effect failed at once, and does not today.
    case failureGone(payload: [UInt8])
    /// The effect fails at once today, with this error.
    case failure(String)
    /// Today's `reduce` gives another state than a snapshot has that the fold `foldID` made.
    case otherState(recorded: JSONValue, today: JSONValue, foldID: String)

    /// Whether it would look the same if the end of the first step were missing.
    var isOfAMissingEnd: Bool {
      switch self {
      case .moreMutations, .takesTime, .failure: true
      case .unreadable, .otherMutation, .mutationGone, .takesNoTime, .failureGone, .otherState:
        false
      }
    }
  }
}

extension JSONValue {
  /// `payload` as it is; text that is no JSON as a string.
  package init(payload: [UInt8]) {
    self = (try? JSONValue(parsing: payload)) ?? .string(String(decoding: payload, as: UTF8.self))
  }
}
