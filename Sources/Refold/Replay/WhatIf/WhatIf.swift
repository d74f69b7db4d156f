import EventStoreCore

/// What would have happened instead: a recorded session from some position on, with actions left out
/// or replaced, as today's code decides it.
package enum WhatIf {
  /// What to do otherwise.
  package struct Plan: Sendable {
    /// The last position that is shared.
    package let at: Seq
    /// The last event that is looked at.
    package let until: Seq
    /// What becomes of actions in between, by their seqs; the others are sent again as they were.
    package let changes: [Seq: Change]

    /// A plan of these parts.
    package init(at: Seq, until: Seq, changes: [Seq: Change]) {
      self.at = at
      self.until = until
      self.changes = changes
    }
  }

  /// What becomes of an action.
  package enum Change: Sendable {
    /// It is not sent.
    case skip
    /// This line of input is sent in its place.
    case replace([UInt8])
  }

  /// Something that is not as it was, besides what the plan says itself.
  package struct Difference: Sendable {
    /// The event of the old log.
    package let old: Seq
    /// The action in the new log; nil where it is not there.
    package let new: Seq?
    /// The payload of the event: what was sent, where it is an action.
    package let payload: [UInt8]
    /// What was sent in the place of the action, where that is so.
    package let replacement: [UInt8]?
    package let kind: Kind

    package enum Kind: Sendable {
      /// The action gives other mutations at once.
      case decision(was: [[UInt8]], is: [[UInt8]])
      /// Its effect went on, and does not any more: what it gave later is left out.
      case effectGone
      /// Its effect goes on, and nothing was recorded that could answer it: it is logged as cancelled.
      case effectUnanswered
      /// The action `by` of the old log cancels its effect now: what it gave later is left out. It was
      /// ended by `was`; nil where it was still going on.
      case effectCancelled(by: Seq, was: EventKind?)
      /// Its effect stays cancelled, although the action `cause` of the old log, which cancelled it, is
      /// left out or does not cancel it any more.
      case cancellerGone(cause: Seq)
      /// It fails at once, or does so otherwise; nil where it does not.
      case failure(was: [UInt8]?, is: [UInt8]?)
      /// What sent it, the effect or an observer of the action `cause`, is not there any more.
      case senderGone(cause: Seq)
      /// Today's types cannot read the event: it is left out.
      case unreadable(EventKind, reason: String)
      /// `mutate` asked for a secret, which no log has: the action is kept as it was decided.
      case secret
    }
  }

  /// How it came out.
  package struct Result<State: Sendable>: Sendable {
    /// The session that was made.
    package let session: SessionInfo
    /// Its last seq.
    package let version: Version
    /// Its last state.
    package let state: State
    /// How many actions were sent again, replaced ones included.
    package let sent: Int
    /// How many actions are not in the new log.
    package let leftOut: Int
    package let differences: Int
    /// The last event of the old log that was looked at: that of the plan, or the end of the first
    /// step that it cuts.
    package let until: Seq
    /// The actions of the new log whose effects are logged as cancelled and were not so recorded: on
    /// the way, or because they had no end by then.
    package let cancelled: [Seq]
  }

  /// Why a plan cannot be carried out.
  package enum Failure: Error, Sendable {
    /// A change is about an event that lies outside of what is looked at.
    case outside(Seq, at: Seq, until: Seq)
    /// A change is about an event that is no action.
    case notAnAction(Seq, kind: EventKind, cause: Seq)
    /// What is to be sent instead is no action.
    case notAnInput(Seq, reason: String)
  }
}

extension WhatIf.Failure: CustomStringConvertible {
  /// What was wrong, and what to do.
  package var description: String {
    switch self {
    case .outside(let seq, let at, let until):
      "event \(seq) is not behind position \(at) and up to \(until), so nothing can be done "
        + "otherwise there. Fork before it."
    case .notAnAction(let seq, let kind, let cause):
      "event \(seq) is no action, but a \(kind.name). "
        + (cause == .zero
          ? "It came from outside any action." : "It comes from action \(cause): name that.")
    case .notAnInput(let seq, let reason): "in place of event \(seq): \(reason)"
    }
  }
}
