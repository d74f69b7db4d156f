import EventStoreCore
import JSONTree
import Refold

/// What `check` found in one session.
struct CheckReport {
  let session: String
  let reactor: String
  let decision: LogDifference?
  let snapshot: LogDifference?
  let agreeing: (seq: Seq, foldID: String)?

  /// For people: nothing where nothing was found.
  func text(_ console: Console) -> String {
    [snapshot, decision].compactMap { $0 }
      .map { difference in
        let heading = "session \(Printable.line(session)): \(sentence(difference))"
        return console.styled(heading, .red) + "\n" + details(difference, console)
      }
      .joined()
  }

  /// A line of `check --json`.
  func json<R>(_ counts: LogCheck<R>.Counts) -> [UInt8] {
    var line = JSONLine()
    line.member("session", session)
    line.member("reactor", reactor)
    line.member("ok", json: (decision == nil && snapshot == nil ? "true" : "false").utf8)
    line.member("events", counts.events)
    line.member("actions", counts.actions + counts.actionsWithEffects)
    line.member("notCompared", counts.actionsWithSecrets)
    line.member("snapshots", counts.snapshots)
    if let agreeing { line.member("agreeing", json: Self.place(agreeing.seq, agreeing.foldID)) }
    if let snapshot { line.member("snapshot", json: snapshot.json) }
    if let decision { line.member("decision", json: decision.json) }
    return line.finished()
  }

  private func sentence(_ difference: LogDifference) -> String {
    let action = difference.action.map { "action \($0.seq), \(Self.short($0.payload))" } ?? ""
    let seq = difference.seq
    switch difference.kind {
    case .unreadable(let kind, let type, let reason, _):
      return "event \(seq), a \(kind.name), cannot be read as \(type): \(Printable.line(reason))"
    case .otherMutation: return "event \(seq) is another mutation today, of \(action)"
    case .mutationGone: return "event \(seq) is not given any more, of \(action)"
    case .moreMutations: return "today mutate gives more for \(action)"
    case .takesTime: return "\(action), gave everything at once. Today its effect goes on"
    case .takesNoTime: return "\(action), had an effect that went on. Today it has none"
    case .failureGone: return "event \(seq) does not fail any more, of \(action)"
    case .failure(let error):
      return "today the effect fails: \(Printable.line(error)), of \(action)"
    case .otherState(_, _, let foldID):
      return "at event \(seq) reduce gives another state than \(Self.build(foldID)) recorded"
        + (agreeing.map { ". At event \($0.seq) it gives the same as \(Self.build($0.foldID))" }
          ?? "")
    }
  }

  private func details(_ difference: LogDifference, _ console: Console) -> String {
    let lines: [String]
    switch difference.kind {
    case .otherMutation(let recorded, let today), .otherState(let recorded, let today, _):
      let patch = JSONPatch(from: recorded, to: today)
      lines = PatchText(console).lines(patch, from: recorded).split(separator: "\n").map(
        String.init)
    case .mutationGone(let payload), .failureGone(let payload), .unreadable(_, _, _, let payload):
      lines = [console.styled("- \(Self.short(payload))", .red)]
    case .moreMutations(let payloads):
      lines = payloads.map { console.styled("+ \(Self.short($0))", .green) }
    case .takesTime, .takesNoTime, .failure: lines = []
    }
    return lines.map { "  \($0)\n" }.joined()
  }

  private static func short(_ payload: [UInt8]) -> String {
    Printable.cut(Printable.line(payload), to: 100)
  }

  /// `build dfbeac0f3b4a`, out of a fold id such as `counter@dfbeac0f3b4a903f…`.
  private static func build(_ foldID: String) -> String {
    let id = foldID.split(separator: "@").last ?? "?"
    return "build \(Printable.line(String(id.prefix(12))))"
  }

  fileprivate static func place(_ seq: Seq, _ foldID: String) -> [UInt8] {
    var line = JSONLine()
    line.member("seq", seq)
    line.member("fold", foldID)
    return line.finished().dropLast()
  }
}

extension LogDifference {
  /// The difference as a JSON object: where it is, what it is, and what was and is.
  fileprivate var json: [UInt8] {
    var line = JSONLine()
    line.member("seq", seq)
    if let action {
      line.member("action", action.seq)
      line.member("payload", json: JSONValue(payload: action.payload).serialized)
    }
    line.member("what", what)
    switch kind {
    case .unreadable(_, _, let reason, let payload):
      line.member("was", json: JSONValue(payload: payload).serialized)
      line.member("reason", reason)
    case .otherMutation(let recorded, let today):
      line.member("was", json: recorded.serialized)
      line.member("is", json: today.serialized)
      line.member("patch", json: JSONPatch(from: recorded, to: today).json.serialized)
    case .otherState(let recorded, let today, let foldID):
      line.member("fold", foldID)
      line.member("patch", json: JSONPatch(from: recorded, to: today).json.serialized)
    case .mutationGone(let payload), .failureGone(let payload):
      line.member("was", json: JSONValue(payload: payload).serialized)
    case .moreMutations(let payloads):
      line.member(
        "is", json: JSONValue.array(payloads.map { JSONValue(payload: $0) }).serialized)
    case .failure(let error): line.member("is", error)
    case .takesTime, .takesNoTime: break
    }
    return line.finished().dropLast()
  }

  private var what: String {
    switch kind {
    case .unreadable: "unreadable"
    case .otherMutation: "otherMutation"
    case .mutationGone: "mutationGone"
    case .moreMutations: "moreMutations"
    case .takesTime: "takesTime"
    case .takesNoTime: "takesNoTime"
    case .failureGone: "failureGone"
    case .failure: "failure"
    case .otherState: "otherState"
    }
  }
}
