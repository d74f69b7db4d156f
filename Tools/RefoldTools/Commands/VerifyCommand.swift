import EventStoreCore
import EventStoreSQLite

/// `refold verify [SESSION]`: whether the store is as it was written. Needs no reactor.
struct VerifyCommand: Command {
  static let name = "verify"
  static let summary =
    "whether anything was edited, deleted or reordered; exit 1 and the place if so"
  static let operands = [
    Operand(name: "SESSION", summary: "a session's name, or @last (default all)", isOptional: true)
  ]
  static let options: [Option] = [
    .value("--expect", "DIGEST", "the digest that SESSION must end in, as export --as log wrote it")
  ]
  static let discussion = """
    Recomputes the chain of digests event by event, and checks order, times, causes, deliveries,
    snapshots and the store's schema. A log whose end was cut off is whole in itself: --expect
    tells.
    """
  static let examples = ["refold verify", "refold verify s1 --expect 3c9d…"]

  private let session: String?
  private let expected: Digest?

  init(_ arguments: Arguments) throws {
    session = arguments.operand(0)
    expected = try arguments.value("--expect").map { text in
      guard let digest = Digest(hex: text) else {
        throw Failure(.usage, "--expect takes a digest of 64 hexadecimal digits")
      }
      return digest
    }
    if expected != nil, session == nil {
      throw Failure(.usage, "--expect goes with a SESSION")
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
    if let info, let expected, let finding = try end(of: info, isNot: expected, store) {
      findings += 1
      write(finding, context)
    }
    if findings == 0, !context.isJSON {
      let scope = try info.map { try describe($0, store) } ?? describeAll(store)
      context.console.output.write("\(context.console.styled("ok", .green)): \(scope)\n")
    }
    return findings == 0 ? .done : .no
  }

  private func end(
    of info: SessionInfo, isNot expected: Digest, _ store: any EventStore
  ) throws -> VerifyFinding? {
    let tail = try store.tail(of: info.id)
    guard tail.digest != expected else { return nil }
    return VerifyFinding(
      session: info.name.rawValue, seq: tail.version,
      problem: "the log ends in digest \(tail.digest), not the expected \(expected): "
        + "its end was cut off or it went on")
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

  private func describe(_ info: SessionInfo, _ store: any EventStore) throws -> String {
    let tail = try store.tail(of: info.id)
    return "session \(Printable.line(info.name.rawValue)), "
      + "\(Printable.counted(Int(tail.version.rawValue), "event")), digest \(tail.digest)"
  }

  private func describeAll(_ store: any EventStore) throws -> String {
    let sessions = try store.sessions()
    let events = try sessions.reduce(0) { try $0 + Int(store.tail(of: $1.id).version.rawValue) }
    return Printable.counted(sessions.count, "session") + ", "
      + Printable.counted(events, "event")
  }
}
