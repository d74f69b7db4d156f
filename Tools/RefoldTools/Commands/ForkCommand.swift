import EventStoreCore
import Refold

/// `refold fork SESSION`: a new session that shares the past up to a position.
struct ForkCommand: Command {
  static let name = "fork"
  static let summary = "a new session that shares the past of another up to a position"
  static let operands = [Operand(name: "SESSION", summary: "a session's name, or @last")]
  static let options: [Option] = [
    .value("--at", "POS", "the last position that is shared (default end)"),
    .value("--session", "NEW", "the new session's name (default SESSION-fork-N)"),
  ]
  static let discussion = """
    The session that it comes from stays as it is. Effects that were running at POS are logged as
    cancelled in the new one. Continue it with run REACTOR --session NEW.
    """
  static let examples = ["refold fork s1 --at 2 --session s2"]

  private let session: String
  private let position: PositionArgument
  private let newName: SessionName?

  init(_ arguments: Arguments) throws {
    session = arguments.operands[0]
    position = try PositionArgument(arguments.value("--at") ?? "end")
    newName = try arguments.value("--session").map { try SessionName($0) }
  }

  func run(_ context: Context) throws -> ExitCode {
    let store = try context.existingStoreForWriting()
    let parent = try context.session(session, in: store)
    let seq = try position.resolve(in: parent, of: store)
    let fork = try refusingClash(context) {
      try Forking.fork(parent, at: seq, named: newName, in: store)
    }
    tellName(of: fork.info, context)
    try report(fork, of: parent, at: seq, store, context)
    return .done
  }

  private func refusingClash<T>(_ context: Context, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch EventStoreError.sessionExists(let name) {
      throw Failure(
        .badInput,
        "session \(Printable.line(name.rawValue)) is in \(context.storePath) already. "
          + "Fork under another name with --session NEW.")
    }
  }

  private func tellName(of fork: SessionInfo, _ context: Context) {
    if newName == nil { context.console.complain("session \(fork.name.rawValue)") }
  }

  private func report(
    _ fork: Forking.Result, of parent: SessionInfo, at seq: Seq, _ store: any EventStore,
    _ context: Context
  ) throws {
    let tail = try store.tail(of: fork.info.id)
    let output = context.console.output
    if context.isJSON {
      var line = JSONLine()
      line.member("session", fork.info.name.rawValue)
      line.member("parent", parent.name.rawValue)
      line.member("parentSeq", seq)
      line.member("events", tail.version)
      line.member("cancelled", json: JSONLine.list(fork.cancelled))
      line.member("digest", tail.digest.description)
      return output.write(line.finished())
    }
    let (new, old) = (
      Printable.line(fork.info.name.rawValue), Printable.line(parent.name.rawValue)
    )
    output.write("forked session \(new) from \(old) at \(seq), digest \(tail.digest)\n")
    guard !fork.cancelled.isEmpty else { return }
    let noun = fork.cancelled.count == 1 ? "action" : "actions"
    let seqs = fork.cancelled.map(\.description).joined(separator: ", ")
    output.write("logged as cancelled: the effects of \(noun) \(seqs), running at \(seq)\n")
  }
}
