import EventStoreCore
import Foundation
import Refold
import Sections

/// `refold screen SESSION`: what a state shows, drawn as text or as HTML.
struct ScreenCommand: Command {
  static let name = "screen"
  static let summary = "the screen as it was at a position, as text or as an HTML page"
  static let operands = [Operand(name: "SESSION", summary: "a session's name, or @last")]
  static let options: [Option] = [
    .value("--at", "POS", "the position (default end)"),
    .flag("--html", "a whole page, for a browser"),
    .value("--width", "N", "columns of text (default the terminal's; else $COLUMNS, else 80)"),
    .value("--output", "FILE", "write there instead of standard output", short: "-o"),
  ]
  static let discussion = """
    For reactors whose State conforms to ScreenPresenting (docs/Sections.md). What was to be shown
    once, an alert or a question, is there until the action that came after it. Text is never wider
    than \(mostWidth) columns unless --width asks for it. --json gives one object with the session, the
    seq and the screen as data.
    """
  static let examples = [
    "refold screen s1", "refold screen s1 --at -5 --width 60",
    "refold screen s1 --html -o screen.html",
  ]

  private static let leastWidth = 24
  /// Wider text is hard to read on a terminal that happens to be wide.
  private static let mostWidth = 100
  /// No terminal is wider. A screen is drawn as a whole, in memory that grows with its width.
  private static let widthLimit = 1_000

  private let session: String
  private let position: PositionArgument
  private let isHTML: Bool
  private let width: Int?
  private let file: String?

  init(_ arguments: Arguments) throws {
    session = arguments.operands[0]
    position = try PositionArgument(arguments.value("--at") ?? "end")
    isHTML = arguments.has("--html")
    width = try arguments.number(
      "--width", atLeast: Self.leastWidth, atMost: Self.widthLimit)
    file = arguments.value("--output")
    if isHTML, arguments.has("--json") {
      throw Failure(.usage, "--html and --json are two outputs: choose one")
    }
    if width != nil, isHTML || arguments.has("--json") {
      throw Failure(.usage, "--width goes with text only")
    }
  }

  func run(_ context: Context) throws -> ExitCode {
    let store = try context.storeForReading()
    let info = try context.session(session, in: store)
    let seq = try position.resolve(in: info, of: store)
    let screen = try screen(try context.reactor(for: info), info, seq, store, context)
    let place = Place(session: info.name.rawValue, reactor: info.reactor, seq: seq)
    if let file, file != "-" { try StoreFiles(context.storePath).refuse(file, as: "--output") }
    let file = try OutputFile(file, context.console)
    do {
      try write(screen, at: place, context, to: file)
      try file.finish()
    } catch {
      file.abandon()
      throw error
    }
    return .done
  }

  private struct Place {
    let session: String
    let reactor: String
    let seq: Seq
  }

  private func write(
    _ screen: Screen, at place: Place, _ context: Context, to file: OutputFile
  ) throws {
    if context.isJSON {
      var line = JSONLine()
      line.member("session", place.session)
      line.member("seq", place.seq)
      line.member("screen", json: try EventCodec().encode(screen))
      return file.output.write(line.finished())
    }
    if isHTML {
      let caption = "\(place.reactor), session \(place.session) at \(place.seq)"
      return file.output.write(screen.htmlPage(caption: caption))
    }
    let isFile = !file.isStandardOutput
    let width = self.width ?? Self.width(of: context.console, isFile: isFile)
    let isColored = !isFile && context.console.isColored
    file.output.write(screen.text(width: width, isColored: isColored))
  }

  private static func width(of console: Console, isFile: Bool) -> Int {
    if !isFile, let width = console.width { return min(max(width, leastWidth), mostWidth) }
    let columns = ProcessInfo.processInfo.environment["COLUMNS"].flatMap(Int.init) ?? 80
    return min(max(columns, leastWidth), mostWidth)
  }

  private func screen<R: Reactor>(
    _ reactor: R, _ info: SessionInfo, _ seq: Seq, _ store: any EventStore, _ context: Context
  ) throws -> Screen {
    guard reactor.initialState is any ScreenPresenting else {
      throw Failure.noFace(of: R.name, "screen", "ScreenPresenting", context) {
        $0 is any ScreenPresenting
      }
    }
    // What came before the last action is old news.
    let action = try store.lastAction(of: info.id, through: seq)
    var fold = try TimeMachine(reactor, info, in: store).fold(through: action?.previous ?? .zero)
    let earlier = fold.state
    try fold.advance(through: seq, of: info.id, in: store)
    guard let state = fold.state as? any ScreenPresenting else { return Screen(title: R.name) }
    do {
      return try state.screen(sinceAny: earlier)
    } catch let error as SectionsError {
      throw Failure(.badInput, "session \(info.name) has no screen at \(seq): \(error)")
    }
  }
}

extension Failure {
  /// The reactor `name` has no `thing`, as its State does not conform to a protocol; which of the
  /// tool's reactors have one is told.
  static func noFace(
    of name: String, _ thing: String, _ conformance: String, _ context: Context,
    where hasOne: (any Sendable) -> Bool
  ) -> Failure {
    let others = context.tool.reactors.filter { entry in
      (try? entry.make()).map { hasOne($0.anyInitialState) } ?? false
    }
    let hint = others.isEmpty ? "no linked reactor" : others.map(\.name).joined(separator: ", ")
    return Failure(
      .notFound,
      "reactor \(name) has no \(thing): its State does not conform to \(conformance) "
        + "(docs/Sections.md). With one: \(hint)")
  }
}
