import EventStoreCore
import JSONTree
import Refold

/// `refold check [SESSION…]`: does today's code still do what it did when sessions were recorded?
struct CheckCommand: Command {
  static let name = "check"
  static let summary = "whether today's code still decides and folds as recorded; exit 1 if not"
  static let operands = [
    Operand(
      name: "SESSION", summary: "a session's name, or @last (default all whose reactor is here)",
      isOptional: true, isRepeatable: true)
  ]
  static let discussion = """
    Asks mutate about every recorded action, in the state of that moment, and compares what it gives
    at once; what an effect gave later is taken from the log. Folds the log and compares the state
    with the snapshots that sessions leave as they run and when they close, above all those of other
    builds. No effect starts, and nothing is written.
    """
  static let examples = ["refold check", "refold check s1 s2 --json"]

  private let sessions: [String]

  init(_ arguments: Arguments) throws { sessions = arguments.operands }

  func run(_ context: Context) throws -> ExitCode {
    let store = try context.storeForReading()
    var total = CheckTotal()
    for info in try chosen(store, context) {
      guard let reactor = try reactor(for: info, context) else {
        total.skipped += 1
        tellSkipped(info, context)
        continue
      }
      try check(reactor, info, store, &total, context)
      if context.console.output.hasFailed { try context.console.output.flush() }
    }
    if total.differing == 0, !context.isJSON { context.console.output.write(total.text) }
    return total.differing == 0 ? .done : .no
  }

  private func chosen(_ store: any EventStore, _ context: Context) throws -> [SessionInfo] {
    if sessions.isEmpty { return try store.sessions() }
    return try sessions.map { try context.session($0, in: store) }
  }

  /// The reactor of `info`; nil where it is not linked in and nobody asked for this session.
  private func reactor(for info: SessionInfo, _ context: Context) throws -> (any Reactor)? {
    let isLinked = context.tool.reactors.contains { $0.name == info.reactor }
    return isLinked || !sessions.isEmpty ? try context.reactor(for: info) : nil
  }

  private func tellSkipped(_ info: SessionInfo, _ context: Context) {
    if context.isJSON {
      var line = JSONLine()
      line.member("session", info.name.rawValue)
      line.member("reactor", info.reactor)
      line.member("skipped", json: "true".utf8)
      return context.console.output.write(line.finished())
    }
    context.console.complain(
      "session \(info.name.rawValue): skipped, its reactor \(info.reactor) is not linked in")
  }

  private func check<R: Reactor>(
    _ reactor: R, _ info: SessionInfo, _ store: any EventStore, _ total: inout CheckTotal,
    _ context: Context
  ) throws {
    var progress = Progress("checked events:", on: context.console)
    defer { progress.end() }
    let codec = EventCodec(secretKey: context.secretKey)
    let check = try LogCheck.check(reactor, info, in: store, codec: codec) { progress.advance() }
    progress.end()
    total.add(check)
    let report = CheckReport(
      session: info.name.rawValue, reactor: info.reactor, decision: check.decision,
      snapshot: check.snapshot, agreeing: check.agreeing)
    if context.isJSON {
      context.console.output.write(report.json(check.counts))
    } else {
      context.console.output.write(report.text(context.console))
      if check.counts.actionsWithSecrets > 0 {
        let actions = Printable.counted(check.counts.actionsWithSecrets, "action")
        context.console.complain(
          "session \(info.name.rawValue): \(actions) not compared, since mutate asked for a secret "
            + "there, which no log has")
      }
    }
  }
}

/// How much was checked, over all sessions.
private struct CheckTotal {
  var skipped = 0
  var differing = 0
  private var sessions = 0
  private var events = 0
  private var actions = 0
  private var snapshots = 0

  mutating func add<R>(_ check: LogCheck<R>) {
    sessions += 1
    if check.first != nil { differing += 1 }
    events += check.counts.events
    actions += check.counts.actions + check.counts.actionsWithEffects
    snapshots += check.counts.snapshots
  }

  var text: String {
    "ok: \(Printable.counted(sessions, "session")), \(Printable.counted(events, "event")), "
      + "\(Printable.counted(actions, "action")), \(Printable.counted(snapshots, "snapshot"))\n"
  }
}
