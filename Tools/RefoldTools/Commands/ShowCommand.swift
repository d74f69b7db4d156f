import EventStoreCore
import JSONTree
import Refold

/// `refold show SESSION SEQ`: one event, the state before and after it, and what it changed.
struct ShowCommand: Command {
  static let name = "show"
  static let summary = "one event, the state before and after it, and what it changed"
  static let operands = [
    Operand(name: "SESSION", summary: "a session's name, or @last"),
    Operand(name: "SEQ", summary: "the event's position"),
  ]
  static let examples = ["refold show s1 2", "refold show @last end --json"]

  private let session: String
  private let position: PositionArgument

  init(_ arguments: Arguments) throws {
    session = arguments.operands[0]
    position = try PositionArgument(arguments.operands[1])
  }

  func run(_ context: Context) throws -> ExitCode {
    let store = try context.storeForReading()
    let info = try context.session(session, in: store)
    let seq = try position.resolve(in: info, of: store)
    guard seq > .zero else {
      throw Failure(
        .badInput,
        "position 0 is the initial state, before the first event. "
          + "See it with: \(context.tool.name) export \(Printable.line(session)) --at 0")
    }
    try show(try context.reactor(for: info), info, seq, store, context)
    return .done
  }

  private func show<R: Reactor>(
    _ reactor: R, _ info: SessionInfo, _ seq: Seq, _ store: any EventStore, _ context: Context
  ) throws {
    let codec = EventCodec()
    var fold = try TimeMachine(reactor, info, in: store)
      .fold(through: seq.previous)
    let before = try JSONValue(parsing: codec.encode(fold.state))
    try store.forEachEvent(of: info.id, after: fold.seq, through: seq) { header, payload in
      try fold.apply(header, payload)
      let after = try JSONValue(parsing: codec.encode(fold.state))
      let patch = JSONPatch(from: before, to: after)
      let step = StepView(header: header, before: before, after: after, patch: patch)
      let output = context.console.output
      if context.isJSON { return output.write(step.json(payload)) }
      output.write(step.text(payload, context.console))
    }
  }
}

/// What one event did.
private struct StepView {
  let header: EventHeader
  let before: JSONValue
  let after: JSONValue
  let patch: JSONPatch

  func json(_ payload: RawSpan) -> [UInt8] {
    var line = JSONLine()
    var event = JSONLine.event(header, payload).finished()
    event.removeLast()
    line.member("event", json: event)
    line.member("before", json: before.serialized)
    line.member("after", json: after.serialized)
    line.member("patch", json: patch.json.serialized)
    return line.finished()
  }

  func text(_ payload: RawSpan, _ console: Console) -> String {
    let bold = { console.styled(Printable.padded($0, to: 8), .bold) }
    let payloadText = payload.withUnsafeBytes { Printable.line($0) }
    let rows = [
      ("event", "\(header.seq)"), ("kind", header.kind.name), ("cause", "\(header.cause)"),
      ("at", "\(header.recordedAt)"), ("payload", payloadText),
    ]
    var sections = [rows.map { bold($0) + " " + $1 }.joined(separator: "\n")]
    if patch.operations.isEmpty {
      sections.append("It changed nothing. The state:\n" + PrettyState.text(before))
    } else {
      let changed = PatchText(console).lines(patch, from: before)
      sections.append(console.styled("changed", .bold) + "\n" + changed)
      sections.append(console.styled("before", .bold) + "\n" + PrettyState.text(before))
      sections.append(console.styled("after", .bold) + "\n" + PrettyState.text(after))
    }
    return sections.joined(separator: "\n\n") + "\n"
  }
}
