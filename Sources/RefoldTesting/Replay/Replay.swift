import EventStoreCore
import JSONTree
import Refold

/// Goes through a recorded log with today's code, up to the first difference.
struct Replay<R: Reactor> {
  private(set) var comparison = ReplayComparison()
  private let reactor: R
  private let log: RecordedLog

  private struct Found: Error {
    let difference: LogDifference
  }

  /// - Throws: `SessionError.otherReactor`.
  init(_ reactor: R, _ log: RecordedLog) throws {
    if log.reactor != R.name {
      throw SessionError.otherReactor(session: log.name, recorded: log.reactor, asked: R.name)
    }
    self.reactor = reactor
    self.log = log
  }

  /// What to tell people of the first difference, nil where there is none.
  mutating func firstDifference() throws -> String? {
    var check = try LogCheck(
      reactor, session: log.name, cuts: log.cuts, snapshots: log.snapshots)
    defer { comparison = ReplayComparison(check.counts) }
    do {
      try Self.stop(at: check.first)
      try log.forEachEvent { header, payload in
        try check.take(header, payload)
        try Self.stop(at: check.first)
      }
      try check.finish()
      try Self.stop(at: check.first)
      return nil
    } catch let found as Found {
      return
        "Session \(log.name) differs at event \(found.difference.seq): "
        + "\(Self.message(found.difference))\n"
        + "If that is meant, record the session anew; else today's code is at fault."
    }
  }

  private static func stop(at difference: LogDifference?) throws {
    if let difference { throw Found(difference: difference) }
  }

  private static func message(_ difference: LogDifference) -> String {
    let action = difference.action.map { text($0.payload) } ?? ""
    let seq = difference.action?.seq ?? difference.seq
    switch difference.kind {
    case .unreadable(let kind, let type, let reason, let payload):
      return "this \(kind.name) cannot be read as \(type): \(reason).\n\n  - \(text(payload))\n"
    case .otherMutation(let recorded, let today):
      return "today's mutate gives another mutation for action \(seq), \(action) (- recorded, "
        + "+ today).\n\n\(ValueDiff(from: recorded, to: today).text)\n"
    case .mutationGone(let payload):
      return "today's mutate no longer gives this mutation of action \(seq), \(action).\n\n"
        + "  - \(text(payload))\n"
    case .moreMutations(let payloads):
      return "today's mutate gives more for this action, \(action), than was recorded.\n\n"
        + payloads.map { "  + \(text($0))\n" }.joined()
    case .takesTime:
      return "the effect of this action, \(action), gave everything at once. Today it takes time, "
        + "which a replay does not wait for."
    case .takesNoTime:
      return "the effect of this action, \(action), took time. Today it gives everything at once."
    case .failureGone(let payload):
      return "the effect of action \(seq), \(action), failed. Today it does not.\n\n"
        + "  - \(text(payload))\n"
    case .failure(let error):
      return "today the effect of this action, \(action), fails: \(error)."
    case .otherState(let recorded, let today, _):
      return "today's reduce gives another state than the snapshot recorded there has "
        + "(- recorded, + today).\n\n\(ValueDiff(from: recorded, to: today).text)\n"
    }
  }

  private static func text(_ payload: [UInt8]) -> String {
    let text = String(decoding: payload, as: UTF8.self)
    return text.count > 240 ? text.prefix(240) + "…" : text
  }
}

extension ReplayComparison {
  fileprivate init<R>(_ counts: LogCheck<R>.Counts) {
    self.init(
      events: counts.events, actions: counts.actions,
      actionsWithEffects: counts.actionsWithEffects, snapshots: counts.snapshots)
  }
}
