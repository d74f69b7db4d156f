import EventStoreCore
import JSONTree
import Refold

/// What `fork --skip` and its like print: a difference a line or a few, then how it ends.
struct WhatIfReport {
  let parent: SessionInfo
  let plan: WhatIf.Plan
  let context: Context

  private var output: Output { context.console.output }

  func write(_ difference: WhatIf.Difference) throws {
    if context.isJSON { output.write(json(difference)) } else { output.write(text(difference)) }
    if output.hasFailed { try output.flush() }
  }

  /// The line on standard error.
  func writeSummary<State>(_ result: WhatIf.Result<State>) {
    let cancelled =
      result.cancelled.isEmpty
      ? "" : ", \(Printable.counted(result.cancelled.count, "effect")) cancelled"
    context.console.complain(
      "session \(result.session.name.rawValue), forked from \(parent.name.rawValue) at \(plan.at): "
        + "\(Printable.counted(result.sent, "action")) sent again, "
        + "\(Printable.grouped(result.leftOut)) left out, "
        + Printable.counted(result.differences, "difference") + cancelled
        + (result.until > plan.until
          ? "; --until \(plan.until) is inside a first step, which ends at \(result.until)" : ""))
  }

  /// How the final state differs from that of the old log.
  func writeEnd<R: Reactor>(
    _ result: WhatIf.Result<R.State>, _ reactor: R, in store: any EventStore, _ codec: EventCodec
  ) throws {
    let old = try oldState(reactor, through: result.until, in: store, codec)
    let new = try JSONValue(parsing: codec.encode(result.state))
    if context.isJSON { return try writeEnd(result, old, new, store) }
    let places =
      "at \(result.until) of \(Printable.line(parent.name.rawValue)) and \(result.version) of "
      + Printable.line(result.session.name.rawValue)
    guard let old else { return }
    if old == new { return output.write("the states \(places) are the same\n") }
    let patch = PatchText(context.console).lines(JSONPatch(from: old, to: new), from: old)
    output.write("the states \(places) differ\n\(patch)\n")
  }

  private func writeEnd<State>(
    _ result: WhatIf.Result<State>, _ old: JSONValue?, _ new: JSONValue, _ store: any EventStore
  ) throws {
    var line = JSONLine()
    line.member("session", result.session.name.rawValue)
    line.member("parent", parent.name.rawValue)
    line.member("parentSeq", plan.at)
    line.member("until", result.until)
    line.member("events", result.version)
    line.member("sent", result.sent)
    line.member("leftOut", result.leftOut)
    line.member("differences", result.differences)
    line.member("cancelled", json: JSONLine.list(result.cancelled))
    line.member("digest", try store.tail(of: result.session.id).digest.description)
    if let old { line.member("patch", json: JSONPatch(from: old, to: new).json.serialized) }
    output.write(line.finished())
  }

  /// The old log's last state that was looked at; nil where today's code cannot fold it.
  private func oldState<R: Reactor>(
    _ reactor: R, through until: Seq, in store: any EventStore, _ codec: EventCodec
  ) throws -> JSONValue? {
    do {
      let fold = try TimeMachine(reactor, parent, in: store).fold(through: until)
      return try JSONValue(parsing: codec.encode(fold.state))
    } catch SessionError.undecodable(_, let seq, _, _, _) {
      context.console.complain(
        "event \(seq) of session \(parent.name.rawValue) cannot be read, so there is no state to "
          + "compare with")
      return nil
    }
  }
}

// One difference.
extension WhatIfReport {
  private func text(_ difference: WhatIf.Difference) -> String {
    let place = difference.new.map { "event \(difference.old), now \($0)" }
    let old = Self.short(difference.payload)
    let action = difference.replacement.map { "\(Self.short($0)), in the place of \(old)" } ?? old
    let heading =
      "\(place ?? "event \(difference.old)"), \(action): "
      + sentence(difference.kind)
    return context.console.styled(heading, .yellow) + "\n"
      + details(difference.kind).map { "  \($0)\n" }.joined()
  }

  private func sentence(_ kind: WhatIf.Difference.Kind) -> String {
    switch kind {
    case .decision: "gives other mutations"
    case .effectGone: "had an effect that went on; it has none now, and what came later is left out"
    case .effectUnanswered:
      "has an effect that goes on; nothing was recorded to answer it, so it is cancelled"
    case .effectCancelled(let canceller, let kind):
      "its effect is cancelled by event \(canceller), "
        + (kind.map { "was \($0.name)" } ?? "was still going on")
        + "; what it gave later is left out"
    case .cancellerGone(let cause):
      "its effect stays cancelled although what cancelled it, action \(cause), does not any more; "
        + "what it would have given was never recorded"
    case .failure(nil, _): "fails"
    case .failure(_, nil): "does not fail any more"
    case .failure: "fails otherwise"
    case .senderGone(let cause):
      "is left out, since what sent it, action \(cause) or its effect, is not there"
    case .unreadable(let kind, let reason):
      "is left out: this \(kind.name) cannot be read: \(Printable.line(reason))"
    case .secret: "asks for a secret, which no log has; it is kept as it was decided"
    }
  }

  private func details(_ kind: WhatIf.Difference.Kind) -> [String] {
    let (was, now): ([[UInt8]], [[UInt8]])
    switch kind {
    case .decision(let old, let new): (was, now) = (old, new)
    case .failure(let old, let new): (was, now) = ([old].compactMap { $0 }, [new].compactMap { $0 })
    case .effectGone, .effectUnanswered, .effectCancelled, .cancellerGone, .senderGone,
      .unreadable, .secret:
      return []
    }
    let console = context.console
    return was.map { console.styled("- \(Self.short($0))", .red) }
      + now.map { console.styled("+ \(Self.short($0))", .green) }
  }

  private static func short(_ payload: [UInt8]) -> String {
    Printable.cut(Printable.line(payload), to: 100)
  }

  private func json(_ difference: WhatIf.Difference) -> [UInt8] {
    var line = JSONLine()
    line.member("old", difference.old)
    if let new = difference.new { line.member("new", new) }
    line.member("payload", json: JSONValue(payload: difference.payload).serialized)
    if let replacement = difference.replacement {
      line.member("replacedBy", json: JSONValue(payload: replacement).serialized)
    }
    switch difference.kind {
    case .decision(let was, let now):
      line.member("what", "decision")
      line.member("was", json: Self.array(was))
      line.member("is", json: Self.array(now))
    case .failure(let was, let now):
      line.member("what", "failure")
      if let was { line.member("was", json: JSONValue(payload: was).serialized) }
      if let now { line.member("is", json: JSONValue(payload: now).serialized) }
    case .senderGone(let cause):
      line.member("what", "senderGone")
      line.member("cause", cause)
    case .effectCancelled(let canceller, let kind):
      line.member("what", "effectCancelled")
      line.member("by", canceller)
      if let kind { line.member("was", kind.name) }
    case .cancellerGone(let cause):
      line.member("what", "cancellerGone")
      line.member("cause", cause)
    case .unreadable(_, let reason):
      line.member("what", "unreadable")
      line.member("reason", reason)
    case .effectGone: line.member("what", "effectGone")
    case .effectUnanswered: line.member("what", "effectUnanswered")
    case .secret: line.member("what", "secret")
    }
    return line.finished()
  }

  private static func array(_ payloads: [[UInt8]]) -> [UInt8] {
    JSONValue.array(payloads.map { JSONValue(payload: $0) }).serialized
  }
}
