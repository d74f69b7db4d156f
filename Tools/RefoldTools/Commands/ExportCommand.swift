import EventStoreCore
import JSONTree
import Refold

/// `refold export SESSION`: a state, all states, the log, or a page for a browser.
struct ExportCommand: Command {
  static let name = "export"
  static let summary = "a state snapshot, a state or a row an event, the whole log, or a page"
  static let operands = [Operand(name: "SESSION", summary: "a session's name, or @last")]
  static let options: [Option] = [
    .value("--at", "POS", "the position (default end)"),
    .value("--as", "FORMAT", "state (default), states, log, csv or html"),
    .value("--every", "N", "with states: one every N events, and the last"),
    .value(
      "--columns", "POINTERS", "with csv: fields of the state after each event: /value,/items/0",
      isRepeatable: true),
    .value("--from", "POS", "with html: the first event of the page (default 1)"),
    .value("--to", "POS", "with html: the last event of the page (default end)"),
    .value("--output", "FILE", "write there instead of standard output", short: "-o"),
  ]
  static let discussion = """
    state is one line: session, reactor, seq, at, digest and state. states is a line an event up
    to POS. log is every event up to POS with the digest at its end, for import. csv is a row an
    event up to POS, for spreadsheets: text of the state that one would take for a formula stands
    after an apostrophe. html is the time machine as one page for a browser, opened at POS: events,
    states, what changed, search and blame. It needs no network and no tool. A long session is
    thinned, and the page says so.
    """
  static let examples = [
    "refold export s1 --at 2", "refold export s1 --as states --every 100",
    "refold export s1 --as log -o s1.log", "refold export s1 --as csv --columns /value",
    "refold export s1 --as html -o s1.html",
  ]

  private enum Format: String, CaseIterable {
    case state, states, log, csv, html
  }

  private let session: String
  /// Nil for the end.
  private let position: PositionArgument?
  private let format: Format
  private let every: Int
  private let columns: [JSONPointer]
  private let range: PositionRange
  private let file: String?

  init(_ arguments: Arguments) throws {
    session = arguments.operands[0]
    position = try arguments.value("--at").map { try PositionArgument($0) }
    format = try arguments.choice("--as", Format.self) ?? .state
    every = try arguments.number("--every", atLeast: 1) ?? 1
    if arguments.has("--every"), format != .states {
      throw Failure(.usage, "--every goes with --as states")
    }
    columns = try CSVExport.columns(arguments.all("--columns"))
    if !columns.isEmpty, format != .csv { throw Failure(.usage, "--columns goes with --as csv") }
    if arguments.has("--from") || arguments.has("--to"), format != .html {
      throw Failure(.usage, "--from and --to go with --as html")
    }
    if arguments.has("--json"), format == .csv || format == .html {
      throw Failure(
        .usage, "--json goes with --as state, states and log, which are JSON; not with \(format)")
    }
    range = try PositionRange(arguments)
    file = arguments.value("--output")
  }

  func run(_ context: Context) throws -> ExitCode {
    let store = try context.storeForReading()
    let info = try context.session(session, in: store)
    let seq = try position?.resolve(in: info, of: store) ?? store.tail(of: info.id).version
    let needsState = format != .log && (format != .csv || !columns.isEmpty)
    let reactor = needsState ? try context.reactor(for: info) : nil
    if let file, file != "-" { try StoreFiles(context.storePath).refuse(file, as: "--output") }
    if format == .html, file ?? "-" == "-", context.console.outputIsTerminal {
      throw Failure(.usage, "a page is for a browser, not for a terminal: name a file with -o")
    }
    let file = try OutputFile(file, context.console)
    do {
      switch (format, reactor) {
      case (.csv, let reactor): try writeRows(reactor, info, seq, store, context, file.output)
      case (.states, let reactor?):
        try writeStates(reactor, info, seq, store, context, file.output)
      case (.html, let reactor?): try writePage(reactor, info, seq, store, context, file.output)
      case (_, let reactor?): try writeState(reactor, info, seq, store, context, file.output)
      case (_, nil): try writeLog(info, seq, store, context, file.output)
      }
      try file.finish()
    } catch {
      file.abandon()
      throw error
    }
    return .done
  }

  private func writeState<R: Reactor>(
    _ reactor: R, _ info: SessionInfo, _ seq: Seq, _ store: any EventStore,
    _ context: Context, _ output: Output
  ) throws {
    let fold = try TimeMachine(reactor, info, in: store).fold(through: seq)
    output.write(try StateLine.exported(fold, of: info, in: store))
  }

  private func writeStates<R: Reactor>(
    _ reactor: R, _ info: SessionInfo, _ last: Seq, _ store: any EventStore,
    _ context: Context, _ output: Output
  ) throws {
    guard last > .zero else { return }
    var progress = Progress("exported states:", on: context.console)
    defer { progress.end() }
    var writer = StateLineWriter<R>(diffs: false)
    var isUnchanged = true
    try TimeMachine(reactor, info, in: store).forEachStep(in: Seq(1)...last) { header, _, fold in
      progress.advance()
      if header.kind == .mutation { isUnchanged = false }
      guard Int(header.seq.rawValue) % every == 0 || header.seq == last else { return }
      try output.write { try writer.append(fold, isUnchanged: isUnchanged, to: &$0) }
      isUnchanged = true
      if output.hasFailed { try output.flush() }
    }
  }

  private func writeRows(
    _ reactor: (any Reactor)?, _ info: SessionInfo, _ last: Seq, _ store: any EventStore,
    _ context: Context, _ output: Output
  ) throws {
    var progress = Progress("exported events:", on: context.console)
    defer { progress.end() }
    let export = CSVExport(info, columns: columns, in: store)
    let write = { (row: (inout [UInt8]) -> Void) in
      progress.advance()
      output.write(appending: row)
      if output.hasFailed { try output.flush() }
    }
    if let reactor {
      try export.write(reactor, through: last, write)
    } else {
      try export.write(through: last, write)
    }
  }

  private func writeLog(
    _ info: SessionInfo, _ last: Seq, _ store: any EventStore, _ context: Context,
    _ output: Output
  ) throws {
    var progress = Progress("exported events:", on: context.console)
    defer { progress.end() }
    var writer = LogFileWriter(info, in: store)
    try writer.write(through: last) { lines, events in
      output.write(lines)
      if output.hasFailed { try output.flush() }
      progress.advance(by: events)
    }
  }

  /// Where a page of `range` is opened: at `seq`, which by default is the end of the range.
  private func opening(
    _ seq: Seq, of info: SessionInfo, in range: PositionRange.Resolved
  ) throws -> Seq {
    guard let position else { return range.last }
    guard seq >= range.before, seq <= range.last else {
      throw Failure(
        .badInput,
        "position \(position) lies outside the page of session "
          + "\(Printable.line(info.name.rawValue)), which goes from \(range.before) to "
          + "\(range.last). Change --at, --from or --to")
    }
    return seq
  }

  private func writePage<R: Reactor>(
    _ reactor: R, _ info: SessionInfo, _ seq: Seq, _ store: any EventStore, _ context: Context,
    _ output: Output
  ) throws {
    var progress = Progress("exported events:", on: context.console)
    defer { progress.end() }
    let range = try range.resolve(in: info, of: store) ?? .init(before: .zero, last: .zero)
    let writer = try PageWriter(
      reactor, info, in: store, range, at: try opening(seq, of: info, in: range),
      toolName: context.tool.name)
    try writer.write(to: output) { progress.advance(by: $0) }
  }
}
