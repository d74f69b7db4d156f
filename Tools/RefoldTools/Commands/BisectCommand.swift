import EventStoreCore
import JSONTree
import Refold

/// `refold bisect SESSION PREDICATE`: the first position at which something holds of the state.
struct BisectCommand: Command {
  static let name = "bisect"
  static let summary = "the first position at which a predicate holds of the state"
  static let operands = [
    Operand(name: "SESSION", summary: "a session's name, or @last"),
    Operand(name: "PREDICATE", summary: "a condition on the state: '/length >= 50000'"),
  ]
  static let options: [Option] = [
    .value("--from", "POS", "the first position to look at (default 0)"),
    .value("--to", "POS", "the last position to look at (default end)"),
    .flag("--stops", "the first position at which it holds no longer, having held"),
    .flag("--all", "every position at which it begins (+) or ceases (-) to hold"),
  ]
  static let discussion = """
    Every position is looked at, so that a predicate may hold, cease to hold, and hold again.

    A predicate compares what lies at a JSON Pointer with JSON: '/items/0/title == "shoes"'. There
    are ==, !=, <, <=, >, >=, contains (in a string, an array, the keys of an object), matches (a
    regular expression in quotation marks), exists, and a pointer alone, which holds where the
    value is true; not, and, or, and parentheses. The whole state is a single dot. A key with
    spaces or signs is written as a URI fragment: '#/a%20b'. What is missing equals null and
    nothing else: Swift leaves out what is nil.
    """
  static let examples = [
    "refold bisect s1 '/value > 4'", #"refold bisect s1 '/error != null and not /isLoading' --all"#,
  ]

  private enum Question {
    case begins, stops, all
  }

  private let session: String
  private let predicate: String
  private let from: PositionArgument
  private let to: PositionArgument
  private let question: Question

  init(_ arguments: Arguments) throws {
    session = arguments.operands[0]
    predicate = arguments.operands[1]
    _ = try Self.parsed(predicate)
    from = try PositionArgument(arguments.value("--from") ?? "0")
    to = try PositionArgument(arguments.value("--to") ?? "end")
    if arguments.has("--all"), arguments.has("--stops") {
      throw Failure(.usage, "--all has what --stops asks for: give one of them")
    }
    question = arguments.has("--all") ? .all : arguments.has("--stops") ? .stops : .begins
  }

  private static func parsed(_ text: String) throws -> JSONPredicate {
    do {
      return try JSONPredicate(text)
    } catch {
      throw Failure(.usage, "the predicate \"\(Printable.line(text))\" cannot be read: \(error)")
    }
  }

  func run(_ context: Context) throws -> ExitCode {
    let store = try context.storeForReading()
    let info = try context.session(session, in: store)
    let (first, last) = (try from.resolve(in: info, of: store), try to.resolve(in: info, of: store))
    guard first <= last else {
      throw Failure(.badInput, "the range from \(from) to \(to) ends before it begins")
    }
    return try search(try context.reactor(for: info), info, first...last, store, context)
  }

  private func search<R: Reactor>(
    _ reactor: R, _ info: SessionInfo, _ positions: ClosedRange<Seq>, _ store: any EventStore,
    _ context: Context
  ) throws -> ExitCode {
    let timeline = try Timeline(reactor, info, in: store)
    var progress = Progress("looked at events:", on: context.console)
    timeline.willFold = { progress.reach(Int($0.rawValue)) }
    let condition = try Self.parsed(predicate)
    let report = BisectReport(
      info: info, store: store, context: context, positions: positions,
      pointers: condition.pointers)
    var found: Seq?
    var count = 0
    try timeline.forEachTruth(of: condition, in: positions) { seq, holds in
      switch question {
      case .all:
        count += 1
        try report.writeChange(seq, holds)
        return false
      case .begins, .stops:
        found = (question == .begins) == holds ? seq : nil
        return found != nil
      }
    }
    timeline.willFold = nil
    progress.end()
    if let found { try report.write(found, stops: question == .stops, timeline) }
    guard found != nil || count > 0 else {
      let words = question == .stops ? "never ceases to hold" : "never holds"
      context.console.complain(
        "\(predicate) \(words) between \(positions.lowerBound) and \(positions.upperBound)")
      return .no
    }
    return .done
  }
}

/// What `bisect` prints.
private struct BisectReport {
  let info: SessionInfo
  let store: any EventStore
  let context: Context
  let positions: ClosedRange<Seq>
  /// What the predicate speaks of.
  let pointers: [JSONPointer]

  private var output: Output { context.console.output }

  /// The one position that was asked for.
  func write<R: Reactor>(_ seq: Seq, stops: Bool, _ timeline: Timeline<R>) throws {
    if context.isJSON {
      var line = JSONLine()
      line.member("seq", seq)
      return output.write(line.finished())
    }
    if seq == positions.lowerBound {
      let place = seq == .zero ? "in the initial state" : "already where the search began"
      return output.write("holds at \(seq), \(place)\n")
    }
    let words = stops ? "holds no longer at" : "first holds at"
    let console = context.console
    let story = try EventStory(seq, of: info, in: store).text(console)
    let change = try StepChange(at: seq, timeline).text(console, about: pointers)
    output.write("\(words) \(seq)\n\n\(story)\n\(change)")
  }

  /// One of all the positions.
  func writeChange(_ seq: Seq, _ holds: Bool) throws {
    if context.isJSON {
      var line = JSONLine()
      line.member("seq", seq)
      line.member("holds", json: (holds ? "true" : "false").utf8)
      output.write(line.finished())
    } else if seq == positions.lowerBound {
      output.write("+ \(Printable.padded("\(seq)", to: 8, right: true))  holds from the start\n")
    } else {
      let event = try EventStory(seq, of: info, in: store).event
      var text = EventText(context.console, last: positions.upperBound, showsDays: false)
      let sign = context.console.styled(holds ? "+" : "-", holds ? .green : .red)
      output.write("\(sign) \(text.lines(event.header, event.payload.span.bytes))")
    }
    if output.hasFailed { try output.flush() }
  }
}
