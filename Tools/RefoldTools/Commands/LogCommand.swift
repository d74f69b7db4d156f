import EventStoreCore

/// `refold log SESSION`: the events, with their causes. Needs no reactor.
struct LogCommand: Command {
  static let name = "log"
  static let summary = "the events of a session, with their causes"
  static let operands = [Operand(name: "SESSION", summary: "a session's name, or @last")]
  static let options: [Option] = [
    .value("--from", "POS", "the first event (default 1)"),
    .value("--to", "POS", "the last event (default end)"),
  ]
  static let examples = ["refold log s1", "refold log @last --from -10"]

  private let session: String
  private let range: PositionRange

  init(_ arguments: Arguments) throws {
    session = arguments.operands[0]
    range = try PositionRange(arguments)
  }

  func run(_ context: Context) throws -> ExitCode {
    let store = try context.storeForReading()
    let info = try context.session(session, in: store)
    guard let range = try range.resolve(in: info, of: store) else { return .done }
    let output = context.console.output
    var text = EventText(context.console, last: range.last)
    try store.forEachEvent(of: info.id, after: range.before, through: range.last) {
      header, payload in
      if context.isJSON {
        output.write { JSONLine.append(header, payload, to: &$0) }
      } else if text.isPlain {
        output.write { text.append(header, payload, to: &$0) }
      } else {
        output.write(text.lines(header, payload))
      }
      if output.hasFailed { try output.flush() }
    }
    return .done
  }
}
