import EventStoreCore
import Refold

/// `refold replay SESSION`: the session step by step, a line an event.
struct ReplayCommand: Command {
  static let name = "replay"
  static let summary = "a session step by step: its events, states or diffs, a line an event"
  static let operands = [Operand(name: "SESSION", summary: "a session's name, or @last")]
  static let options: [Option] = [
    .value("--from", "POS", "the first event (default 1)"),
    .value("--to", "POS", "the last event (default end)"),
    .value("--emit", "WHAT", "events (default), states or diffs"),
  ]
  static let discussion = """
    Replay folds the recorded mutations: nothing is decided again and no effect starts.
    """
  static let examples = ["refold replay s1", "refold replay s1 --from -5 --emit states"]

  private enum Emission: String, CaseIterable {
    case events, states, diffs
  }

  private let session: String
  private let range: PositionRange
  private let emission: Emission

  init(_ arguments: Arguments) throws {
    session = arguments.operands[0]
    range = try PositionRange(arguments)
    emission = try arguments.choice("--emit", Emission.self) ?? .events
  }

  func run(_ context: Context) throws -> ExitCode {
    let store = try context.storeForReading()
    let info = try context.session(session, in: store)
    guard let range = try range.resolve(in: info, of: store) else { return .done }
    let output = context.console.output
    if emission == .events {
      try store.forEachEvent(of: info.id, after: range.before, through: range.last) {
        header, payload in
        output.write(context.console.fit(JSONLine.event(header, payload).finished()))
        if output.hasFailed { try output.flush() }
      }
    } else {
      try replay(try context.reactor(for: info), info, range, store, context)
    }
    return .done
  }

  private func replay<R: Reactor>(
    _ reactor: R, _ info: SessionInfo, _ range: PositionRange.Resolved, _ store: any EventStore,
    _ context: Context
  ) throws {
    let output = context.console.output
    let machine = TimeMachine(reactor, info, in: store)
    var writer = StateLineWriter<R>(diffs: emission == .diffs)
    if emission == .diffs { try writer.start(at: machine.fold(through: range.before)) }
    let first = range.before.advanced(by: 1) ?? .max
    try machine.forEachStep(in: first...range.last) { _, _, fold in
      output.write(context.console.fit(try writer.line(for: fold)))
      if output.hasFailed { try output.flush() }
    }
  }
}
