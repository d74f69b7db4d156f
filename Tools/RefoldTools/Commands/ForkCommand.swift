import EventStoreCore
import Refold

/// `refold fork SESSION`: a new session that shares the past up to a position, and goes on as the old
/// one did but for some actions, where that is asked for.
struct ForkCommand: Command {
  static let name = "fork"
  static let summary = "a new session that shares the past of another; what if some action was not"
  static let operands = [Operand(name: "SESSION", summary: "a session's name, or @last")]
  static let options: [Option] = [
    .value("--at", "POS", "the last position that is shared (default end, or before any change)"),
    .value("--session", "NEW", "the new session's name (default SESSION-fork-N)"),
    .value(
      "--skip", "SEQ,…", "send what follows POS again, without these actions", isRepeatable: true),
    .value("--replace", "SEQ=ACTION", "the same, with ACTION in place of SEQ", isRepeatable: true),
    .value("--until", "POS", "send again up to here only (default end); alone, from 0 on"),
  ]
  static let discussion = """
    The session that it comes from stays as it is. Effects that were running at POS are logged as
    cancelled in the new one. Continue it with run REACTOR --session NEW.

    With --skip, --replace or --until the actions after POS are sent again and decided by today's
    code. No effect starts: what effects gave is taken from the old log, at its old place. Whatever
    is decided otherwise is a line, and the last lines say how the final state differs.
    """
  static let examples = [
    "refold fork s1 --at 2 --session s2", "refold fork s1 --skip 3 --session without-3",
    #"refold fork s1 --replace '3={"increase":{"by":7}}'"#,
  ]

  private let session: String
  private let position: PositionArgument?
  private let newName: SessionName?
  private let changes: [Seq: WhatIf.Change]
  private let until: PositionArgument?

  init(_ arguments: Arguments) throws {
    session = arguments.operands[0]
    position = try arguments.value("--at").map { try PositionArgument($0) }
    newName = try arguments.value("--session").map { try SessionName($0) }
    until = try arguments.value("--until").map { try PositionArgument($0) }
    changes = try Self.changes(arguments)
  }

  func run(_ context: Context) throws -> ExitCode {
    let store = try context.existingStoreForWriting()
    let parent = try context.session(session, in: store)
    do {
      if changes.isEmpty, until == nil {
        try fork(parent, store, context)
      } else {
        let plan = try plan(for: parent, in: store)
        try tryOut(plan, try context.reactor(for: parent), parent, store, context)
      }
      return .done
    } catch EventStoreError.sessionExists(let name) {
      throw Failure(
        .badInput,
        "session \(Printable.line(name.rawValue)) is in \(context.storePath) already. "
          + "Fork under another name with --session NEW.")
    }
  }

  private static func changes(_ arguments: Arguments) throws -> [Seq: WhatIf.Change] {
    var changes: [Seq: WhatIf.Change] = [:]
    func note(_ text: Substring, _ change: WhatIf.Change, _ option: String) throws {
      guard let number = UInt32(text), number > 0, !text.hasPrefix("+") else {
        throw Failure(
          .usage, "\(option) takes the seq of an action, not \"\(Printable.line(String(text)))\"")
      }
      guard changes.updateValue(change, forKey: Seq(number)) == nil else {
        throw Failure(.usage, "what becomes of action \(number) is said twice")
      }
    }
    for word in arguments.all("--skip") {
      for seq in word.split(separator: ",", omittingEmptySubsequences: false) {
        try note(seq, .skip, "--skip")
      }
    }
    for word in arguments.all("--replace") {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else {
        throw Failure(.usage, "--replace takes SEQ=ACTION, not \"\(Printable.line(word))\"")
      }
      try note(parts[0], .replace(Array(parts[1].utf8)), "--replace")
    }
    return changes
  }

  private func plan(for parent: SessionInfo, in store: any EventStore) throws -> WhatIf.Plan {
    let last = try until?.resolve(in: parent, of: store) ?? store.tail(of: parent.id).version
    let first = changes.keys.min()?.previous ?? .zero
    let at = try position?.resolve(in: parent, of: store) ?? min(first, last)
    if last < at {
      throw Failure(.badInput, "--until \(last) lies before --at \(at)")
    }
    return WhatIf.Plan(at: at, until: last, changes: changes)
  }

  private func fork(
    _ parent: SessionInfo, _ store: any EventStore, _ context: Context
  ) throws {
    let seq = try position?.resolve(in: parent, of: store) ?? store.tail(of: parent.id).version
    let fork = try Forking.fork(parent, at: seq, named: newName, in: store)
    if newName == nil { context.console.complain("session \(fork.info.name.rawValue)") }
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

  private func tryOut<R: Reactor>(
    _ plan: WhatIf.Plan, _ reactor: R, _ parent: SessionInfo, _ store: any EventStore,
    _ context: Context
  ) throws {
    let report = WhatIfReport(parent: parent, plan: plan, context: context)
    let codec = EventCodec(secretKey: context.secretKey)
    var progress = Progress("events gone through:", on: context.console)
    defer { progress.end() }
    let run = try WhatIfRun(reactor, parent, plan, named: newName, in: store, codec: codec) {
      try report.write($0)
    }
    let result = try run.run { progress.advance() }
    progress.end()
    report.writeSummary(result)
    try report.writeEnd(result, reactor, in: store, codec)
  }
}
