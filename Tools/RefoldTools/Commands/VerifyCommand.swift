import EventStoreCore
import Refold

/// `refold verify [SESSION]`: whether the store is as it was written. Needs no reactor; of sessions
/// whose reactor is linked in, it also holds the snapshots of this build to the fold.
struct VerifyCommand: Command {
  static let name = "verify"
  static let summary =
    "whether anything was edited, deleted or reordered; exit 1 and the place if so"
  static let operands = [
    Operand(name: "SESSION", summary: "a session's name, or @last (default all)", isOptional: true)
  ]
  static let options: [Option] = [
    .value("--expect", "DIGEST", "the digest that SESSION must have, as export printed it"),
    .value("--at", "POS", "the position that --expect is about (default end)"),
  ]
  static let discussion = """
    Recomputes the chain of digests event by event, and checks order, times, causes, deliveries,
    snapshots and the store's schema. Two things it can tell only with a digest that was noted
    elsewhere, by --expect: a log whose end was cut off, and one whose chain was computed anew.
    refold recover copies what is intact in a damaged store into a new one.
    """
  static let examples = ["refold verify", "refold verify s1 --expect 3c9d…"]

  private let session: String?
  private let expected: Digest?
  private let position: PositionArgument

  init(_ arguments: Arguments) throws {
    session = arguments.operand(0)
    expected = try arguments.value("--expect").map { text in
      guard let digest = Digest(hex: text) else {
        throw Failure(.usage, "--expect takes a digest of 64 hexadecimal digits")
      }
      return digest
    }
    position = try PositionArgument(arguments.value("--at") ?? "end")
    if expected != nil, session == nil {
      throw Failure(.usage, "--expect goes with a SESSION")
    }
    if arguments.has("--at"), expected == nil {
      throw Failure(.usage, "--at goes with --expect DIGEST")
    }
  }

  func run(_ context: Context) throws -> ExitCode {
    let store = try context.storeForReading()
    let info = try session.map { try context.session($0, in: store) }
    var findings = 0
    try store.verify(info?.id) { finding in
      findings += 1
      write(finding, context)
    }
    if findings > 0 {
      context.console.complain(
        "restore a backup, or bring out what is intact with: refold recover \(context.storePath)")
    } else {
      for finding in try alteredSnapshots(info, store, context) {
        findings += 1
        write(finding, context)
      }
    }
    if let info, let expected, let finding = try end(of: info, isNot: expected, store) {
      findings += 1
      write(finding, context)
    }
    if findings == 0 { try writeSuccess(info, store, context) }
    return findings == 0 ? .done : .no
  }

  private func alteredSnapshots(
    _ info: SessionInfo?, _ store: any EventStore, _ context: Context
  ) throws -> [VerifyFinding] {
    try (info.map { [$0] } ?? store.sessions()).flatMap { info -> [VerifyFinding] in
      guard let entry = context.tool.reactors.first(where: { $0.name == info.reactor }) else {
        return []
      }
      do {
        return try alteredSnapshots(try entry.make(), info, store)
      } catch SessionError.undecodable {
        // Today's code is at fault, or the one before: not the store.
        return []
      }
    }
  }

  private func alteredSnapshots<R: Reactor>(
    _ reactor: R, _ info: SessionInfo, _ store: any EventStore
  ) throws -> [VerifyFinding] {
    guard let foldID = FoldID.of(reactor) else { return [] }
    return try AlteredSnapshots.seqs(of: info, in: store, by: reactor, foldID: foldID).map {
      VerifyFinding(
        session: info.name.rawValue, seq: $0,
        problem: "the snapshot that this build made here has another state than it folds the log "
          + "to: the snapshot was altered, or reduce is no pure function")
    }
  }

  private func end(
    of info: SessionInfo, isNot expected: Digest, _ store: any EventStore
  ) throws -> VerifyFinding? {
    let seq = try position.resolve(in: info, of: store)
    let digest = try store.digest(of: info.id, at: seq)
    guard digest != expected else { return nil }
    return VerifyFinding(
      session: info.name.rawValue, seq: seq,
      problem: "the log up to here has the digest \(digest), not the expected \(expected): "
        + "events were cut off, added or altered since that was noted")
  }

  private func write(_ finding: VerifyFinding, _ context: Context) {
    guard context.isJSON else {
      let text = Printable.line(finding.description)
      return context.console.output.write(context.console.styled(text, .red) + "\n")
    }
    var line = JSONLine()
    if let session = finding.session { line.member("session", session) }
    if let seq = finding.seq { line.member("seq", seq) }
    line.member("problem", finding.problem)
    context.console.output.write(line.finished())
  }

  private func writeSuccess(
    _ info: SessionInfo?, _ store: any EventStore, _ context: Context
  ) throws {
    let checked = try info.map { [$0] } ?? store.sessions()
    let events = try checked.reduce(0) { try $0 + Int(store.tail(of: $1.id).version.rawValue) }
    let digest = try info.map { try store.tail(of: $0.id).digest.description }
    let output = context.console.output
    if context.isJSON {
      var line = JSONLine()
      line.member("ok", json: "true".utf8)
      if let info { line.member("session", info.name.rawValue) }
      line.member("sessions", checked.count)
      line.member("events", events)
      if let digest { line.member("digest", digest) }
      return output.write(line.finished())
    }
    let what =
      info.map { "session \(Printable.line($0.name.rawValue))" }
      ?? Printable.counted(checked.count, "session")
    output.write(
      "\(context.console.styled("ok", .green)): \(what), \(Printable.counted(events, "event"))"
        + (digest.map { ", digest \($0)" } ?? "") + "\n")
  }
}
