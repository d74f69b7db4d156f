import EventStoreCore

/// Why a session cannot be opened or cannot go on.
public enum SessionError: Error, Sendable {
  /// The session was recorded by another reactor.
  case otherReactor(session: String, recorded: String, asked: String)
  /// An event that today's code cannot read.
  case undecodable(session: String, seq: Seq, kind: EventKind, type: String, reason: String)
  /// A value that cannot be written as JSON.
  case unencodable(type: String, reason: String)
  /// The id was delivered before, with another action.
  case otherActionUnderSameID(id: String, seq: Seq)
  /// A delivery id that no store takes: empty, or longer than 65,536 bytes.
  case invalidDeliveryID(bytes: Int)
  /// The session is closed or closing.
  case closed(session: String)
  /// A commit failed, so that the session stopped; what was acknowledged is safe.
  case stopped(session: String, reason: any Error)
  /// There is no session of this name.
  case noSuchSession(String)
  /// A seq or time that lies beyond the session's end.
  case beyondEnd(session: String, asked: String, last: Seq)
}

extension SessionError: CustomStringConvertible {
  /// What was wrong, where, and what to do.
  public var description: String {
    switch self {
    case .otherReactor(let session, let recorded, let asked):
      "session \(session) belongs to reactor \(recorded), not \(asked). "
        + "Choose another session, or run \(recorded)."
    case .undecodable(let session, let seq, let kind, let type, let reason):
      "event \(seq) of session \(session), a \(kind.name), cannot be read as \(type): \(reason). "
        + "It was written by other code; its log can still be listed and exported."
    case .unencodable(let type, let reason):
      "a value of \(type) cannot be written as JSON: \(reason)"
    case .otherActionUnderSameID(let id, let seq):
      "id \"\(id.count <= 255 ? id : id.prefix(255) + "…")\" was delivered before with another action, at seq \(seq). "
        + "Send the same action again, or give this one an id of its own."
    case .invalidDeliveryID(let bytes):
      "a delivery id has 1 to 65536 bytes, not \(bytes)"
    case .closed(let session):
      "session \(session) is closed. Open it again to send more."
    case .stopped(let session, let reason):
      "session \(session) has stopped: \(reason)"
    case .noSuchSession(let name):
      "there is no session \(name)"
    case .beyondEnd(let session, let asked, let last):
      "\(asked) lies beyond the end of session \(session), whose last event is \(last)"
    }
  }
}

/// Something that went wrong without stopping the session.
public enum SessionIssue: Sendable {
  /// The effect of the action `cause` ended with an error that nobody caught. It is in the log.
  case effectFailed(cause: Seq, error: any Error)
  /// A transform's stream ended with an error; elements now pass it unchanged.
  case transformFailed(name: String, error: any Error)
  /// A value was sent after its effect had ended: a mistake in the reactor. It was dropped.
  case sentAfterEnd(cause: Seq)
  /// A queued action was not accepted.
  case actionRefused(error: any Error)
  /// A mutation that cannot be written to the log was neither logged nor reduced.
  case mutationDropped(cause: Seq, error: any Error)
  /// A snapshot was not written. Nothing depends on it.
  case snapshotFailed(error: any Error)
  /// The state is not what the log folds to: a mutation does not come back from its JSON as it was, or
  /// `reduce` is no pure function.
  case stateDiffersFromLog(seq: Seq)
}

extension SessionIssue: CustomStringConvertible {
  /// What happened, and because of which action.
  public var description: String {
    switch self {
    case .effectFailed(let cause, let error): "the effect of action \(cause) failed: \(error)"
    case .transformFailed(let name, let error): "\(name) ended with an error: \(error)"
    case .sentAfterEnd(let cause):
      "a value was sent after the effect of action \(cause) had ended, and was dropped"
    case .actionRefused(let error): "an action was not accepted: \(error)"
    case .mutationDropped(let cause, let error):
      "a mutation of action \(cause) was dropped: \(error)"
    case .snapshotFailed(let error):
      "a snapshot was not written, which only makes replays slower: \(error)"
    case .stateDiffersFromLog(let seq):
      "the state at event \(seq) is not what the log folds to: a mutation does not come back from its "
        + "JSON as it was, or reduce is no pure function. Replay shows what the log folds to."
    }
  }
}
