import EventStoreCore
import Refold

/// `refold search SESSION PATTERN`: the events in which something stands.
struct SearchCommand: Command {
  static let name = "search"
  static let summary = "the events whose payload, or what they changed in the state, matches"
  static let operands = [
    Operand(name: "SESSION", summary: "a session's name, or @last"),
    Operand(name: "PATTERN", summary: "a text, or with --regex a regular expression"),
  ]
  static let options: [Option] = [
    .flag("--regex", "PATTERN is a regular expression"),
    .flag("--ignore-case", "upper and lower case are the same", short: "-i"),
    .value("--kind", "KIND", "only events of this kind; may be repeated", isRepeatable: true),
    .flag("--state", "search what each event changed in the state, not its payload"),
    .value("--from", "POS", "the first event (default 1)"),
    .value("--to", "POS", "the last event (default end)"),
    .value("--limit", "N", "stop after N events"),
  ]
  static let discussion = """
    PATTERN is found in the payload's JSON as it is written, and in its strings without their
    escapes. With --state it is found in keys and values that an event added or replaced; of a
    string that was edited, where the match touches the edit. The exit code is 1 where nothing is
    found.
    """
  static let examples = [
    "refold search s1 increase", #"refold search s1 --regex '"by":[0-9]{3,}' --limit 5"#,
    "refold search s1 timeout --state -i",
  ]

  private let session: String
  private let pattern: String
  private let isRegex: Bool
  private let ignoresCase: Bool
  private let kinds: Set<EventKind>
  private let inState: Bool
  private let range: PositionRange
  private let limit: Int

  init(_ arguments: Arguments) throws {
    session = arguments.operands[0]
    pattern = arguments.operands[1]
    isRegex = arguments.has("--regex")
    ignoresCase = arguments.has("--ignore-case")
    inState = arguments.has("--state")
    let kinds = try arguments.all("--kind").map { name in
      guard let kind = EventKind(name: name) else {
        let names = EventKind.allCases.map(\.name).joined(separator: ", ")
        throw Failure(.usage, "--kind takes one of \(names), not \"\(Printable.line(name))\"")
      }
      return kind
    }
    self.kinds = kinds.isEmpty ? Set(EventKind.allCases) : Set(kinds)
    range = try PositionRange(arguments)
    limit = try arguments.number("--limit", atLeast: 1) ?? .max
    _ = try textPattern()
  }

  private func textPattern() throws -> TextPattern {
    try TextPattern(pattern, isRegex: isRegex, ignoresCase: ignoresCase)
  }

  func run(_ context: Context) throws -> ExitCode {
    let store = try context.storeForReading()
    let info = try context.session(session, in: store)
    var report = SearchReport(context, last: try store.tail(of: info.id).version, limit: limit)
    if let range = try range.resolve(in: info, of: store) {
      do {
        if inState {
          try searchStates(try context.reactor(for: info), info, range, store, &report)
        } else {
          try searchPayloads(info, range, store, &report)
        }
      } catch is SearchReport.Enough {}
    }
    report.end()
    if report.count > 0 { return .done }
    let place = inState ? "what the events changed" : "the events"
    context.console.complain("found nothing like \(pattern) in \(place) of session \(session)")
    return .no
  }

  private func searchPayloads(
    _ info: SessionInfo, _ range: PositionRange.Resolved, _ store: any EventStore,
    _ report: inout SearchReport
  ) throws {
    var search = PayloadSearch(try textPattern())
    try store.forEachEvent(of: info.id, after: range.before, through: range.last) {
      header, payload in
      report.advance()
      guard kinds.contains(header.kind), let match = search.firstMatch(in: payload) else { return }
      try report.write(header, payload, match: match)
    }
  }

  private func searchStates<R: Reactor>(
    _ reactor: R, _ info: SessionInfo, _ range: PositionRange.Resolved, _ store: any EventStore,
    _ report: inout SearchReport
  ) throws {
    var fold = try TimeMachine(reactor, info, in: store).fold(through: range.before)
    var search = try StateSearch(try textPattern(), from: fold)
    // Without keyframes: a copy that is kept has the next reduce copy what it changes.
    try store.forEachEvent(of: info.id, after: range.before, through: range.last) {
      header, payload in
      report.advance()
      try fold.apply(header, payload)
      guard header.kind == .mutation, let match = try search.look(at: fold),
        kinds.contains(header.kind)
      else { return }
      try report.write(header, payload, at: "\(match.pointer)", match: match.text)
    }
  }
}

/// What `search` prints, and how much of it.
private struct SearchReport {
  /// As many events were found as were asked for.
  struct Enough: Error {}

  private let context: Context
  private let limit: Int
  private var text: EventText
  private var progress: Progress
  private(set) var count = 0

  init(_ context: Context, last: Seq, limit: Int) {
    (self.context, self.limit) = (context, limit)
    text = EventText(context.console, last: last)
    progress = Progress("searched events:", on: context.console)
  }

  mutating func advance() { progress.advance() }

  func end() { progress.end() }

  /// - Throws: `Enough`; what writing throws.
  mutating func write(
    _ header: EventHeader, _ payload: RawSpan, at pointer: String? = nil, match: String
  ) throws {
    let output = context.console.output
    count += 1
    if context.isJSON {
      var line = JSONLine.event(header, payload)
      if let pointer { line.member("pointer", pointer) }
      line.member("match", match)
      output.write(line.finished())
    } else {
      output.write(text.lines(header, payload))
      if let pointer {
        let place = pointer.isEmpty ? "(all)" : Printable.line(pointer)
        let found = Printable.cut(Printable.line(match), to: 100)
        output.write("          \(place): \(found)\n")
      }
    }
    if output.hasFailed { try output.flush() }
    if count >= limit { throw Enough() }
  }
}
