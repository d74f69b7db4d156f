import EventStoreCore
import JSONTree
import Refold

/// `refold diff SESSION A B`: what changed between two positions.
struct DiffCommand: Command {
  static let name = "diff"
  static let summary = "what changed between two positions of a session"
  static let operands = [
    Operand(name: "SESSION", summary: "a session's name, or @last"),
    Operand(name: "A", summary: "the position to compare from"),
    Operand(name: "B", summary: "the position to compare to"),
  ]
  static let examples = ["refold diff s1 0 end", "refold diff s1 -5 end --json"]

  private let session: String
  private let from: PositionArgument
  private let to: PositionArgument

  init(_ arguments: Arguments) throws {
    session = arguments.operands[0]
    from = try PositionArgument(arguments.operands[1])
    to = try PositionArgument(arguments.operands[2])
  }

  func run(_ context: Context) throws -> ExitCode {
    let store = try context.storeForReading()
    let info = try context.session(session, in: store)
    let (from, to) = (
      try from.resolve(in: info, of: store), try to.resolve(in: info, of: store)
    )
    try diff(try context.reactor(for: info), info, from, to, store, context)
    return .done
  }

  private func diff<R: Reactor>(
    _ reactor: R, _ info: SessionInfo, _ from: Seq, _ to: Seq, _ store: any EventStore,
    _ context: Context
  ) throws {
    // The later state is folded on from the earlier one.
    var fold = try TimeMachine(reactor, info, in: store).fold(through: min(from, to))
    let codec = EventCodec()
    let earlier = try JSONValue(parsing: codec.encode(fold.state))
    try fold.advance(through: max(from, to), of: info.id, in: store)
    let later = try JSONValue(parsing: codec.encode(fold.state))
    let (old, new) = from <= to ? (earlier, later) : (later, earlier)
    let patch = JSONPatch(from: old, to: new)
    let output = context.console.output
    if context.isJSON {
      var line = JSONLine()
      line.member("from", from)
      line.member("to", to)
      line.member("patch", json: patch.json.serialized)
      output.write(line.finished())
    } else if patch.operations.isEmpty {
      output.write("nothing changed between \(from) and \(to)\n")
    } else {
      output.write(PatchText(context.console).lines(patch, from: old) + "\n")
    }
  }
}
