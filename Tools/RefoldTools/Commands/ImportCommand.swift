import EventStoreCore
import Refold

/// `refold import FILE`: a log exported elsewhere, event for event, digest for digest.
struct ImportCommand: Command {
  static let name = "import"
  static let summary = "a log exported elsewhere, event for event, digest for digest"
  static let operands = [
    Operand(name: "FILE", summary: "what export --as log wrote; - for standard input")
  ]
  static let options: [Option] = [
    .value("--session", "NEW", "the session's name here (default the exported one)")
  ]
  static let discussion = """
    The whole file is checked before anything is written. A file that was cut off or altered
    imports nothing.
    """
  static let examples = [
    "refold export s1 --as log | refold import - --store copy.sqlite",
    "refold import s1.log --session s1-copy",
  ]

  private let file: String
  private let session: String?

  init(_ arguments: Arguments) throws {
    file = arguments.operands[0]
    session = arguments.value("--session")
  }

  func run(_ context: Context) throws -> ExitCode {
    if file != "-" { try StoreFiles(context.storePath).refuse(file, as: "FILE") }
    let input = try InputFile(file)
    defer { input.close() }
    let spooled = try SpooledFile(input)
    defer { spooled.close() }
    let summary = try check(spooled, input.name, context)
    try spooled.rewind()
    let store = try context.storeForWriting()
    let info = try write(spooled, input.name, to: store, context)
    leaveSnapshots(info, in: store, context)
    report(info, summary, context)
    return .done
  }

  private func check(
    _ file: SpooledFile, _ name: String, _ context: Context
  ) throws -> LogFileReader.Summary {
    var progress = Progress("checked events:", on: context.console)
    defer { progress.end() }
    var reader = try LogFileReader(file.descriptor, name: name)
    return try reader.readEvents { _, _ in progress.advance() }
  }

  private func write(
    _ file: SpooledFile, _ name: String, to store: any EventStore, _ context: Context
  ) throws -> SessionInfo {
    var progress = Progress("imported events:", on: context.console)
    defer { progress.end() }
    var reader = try LogFileReader(file.descriptor, name: name)
    let sessionName = try newName(reader.header.session, name)
    return try store.transaction { transaction in
      if try transaction.session(named: sessionName) != nil {
        throw Failure(
          .badInput,
          "session \(Printable.line(sessionName.rawValue)) is in \(context.storePath) already. "
            + "Import under another name with --session NEW.")
      }
      let info = try transaction.createSession(
        named: sessionName, reactor: reader.header.reactor, at: reader.header.created)
      var portion = Portion()
      _ = try reader.readEvents { event, schema in
        if portion.isFull(for: event, schema) { try portion.append(to: info, transaction) }
        portion.add(event, schema)
        progress.advance()
      }
      try portion.append(to: info, transaction)
      return info
    }
  }

  /// The name that the session gets: the one asked for, else `exported`, which a file gives like all else.
  private func newName(_ exported: String, _ file: String) throws -> SessionName {
    if let session { return try SessionName(session) }
    do {
      return try SessionName(exported)
    } catch EventStoreError.invalidSessionName(_, let reason) {
      throw Failure(
        .badInput,
        "\(Printable.line(file)), line 1: the session's name cannot be one: \(reason). Nothing was imported. "
          + "Import under another name with --session NEW.")
    }
  }

  /// Leaves snapshots beside a long log whose reactor is linked in, so that every position of it is
  /// near. What keeps that from happening is told by whoever looks at states.
  private func leaveSnapshots(
    _ info: SessionInfo, in store: any EventStore, _ context: Context
  ) {
    guard let reactor = try? context.reactor(for: info) else { return }
    leaveSnapshots(of: reactor, info, in: store, context)
  }

  private func leaveSnapshots<R: Reactor>(
    of reactor: R, _ info: SessionInfo, in store: any EventStore, _ context: Context
  ) {
    var progress = Progress("folded events:", on: context.console)
    defer { progress.end() }
    var trail = SnapshotTrail(
      SnapshotShelf(reactor, info, in: store), codec: EventCodec(secretKey: context.secretKey))
    try? trail.takeSnapshots { progress.advance(by: $0) }
    trail.save()
  }

  private func report(_ info: SessionInfo, _ summary: LogFileReader.Summary, _ context: Context) {
    if context.isJSON {
      var line = JSONLine()
      line.member("session", info.name.rawValue)
      line.member("events", summary.events)
      line.member("digest", summary.digest.description)
      context.console.output.write(line.finished())
    } else {
      context.console.output.write(
        "imported session \(Printable.line(info.name.rawValue)): "
          + "\(Printable.counted(summary.events, "event")), digest \(summary.digest)\n")
    }
  }
}

/// Events of one schema version on their way into one commit.
private struct Portion {
  private var events = EventBatch()
  private var schema = 1
  private var version = Version.zero

  func isFull(for event: Event, _ schema: Int) -> Bool {
    guard !events.isEmpty else { return false }
    return schema != self.schema || events.count >= CommitLimits.events
      || events.byteCount + event.payload.count > CommitLimits.bytes
  }

  mutating func add(_ event: Event, _ schema: Int) {
    events.append(event)
    self.schema = schema
  }

  mutating func append(
    to info: SessionInfo, _ transaction: any EventStoreTransaction
  ) throws {
    guard !events.isEmpty else { return }
    version = try transaction.append(
      events, to: info.id, expecting: version, schemaVersion: schema
    ).lastSeq
    events.removeAll()
  }
}
