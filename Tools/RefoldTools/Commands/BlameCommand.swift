import EventStoreCore
import JSONTree
import Refold

/// `refold blame SESSION [POINTER]`: for each field of the state the event that last changed it.
struct BlameCommand: Command {
  static let name = "blame"
  static let summary = "for each field of the state, or one of them, the event that last changed it"
  static let operands = [
    Operand(name: "SESSION", summary: "a session's name, or @last"),
    Operand(
      name: "POINTER", summary: "the field, a JSON Pointer: /items/0/title (default all)",
      isOptional: true),
  ]
  static let options: [Option] = [
    .value("--at", "POS", "the position of the state (default end)"),
    .flag("--history", "with POINTER: every event that changed it, oldest first"),
    .value("--depth", "N", "without POINTER: go no more than N levels down"),
  ]
  static let discussion = """
    A field that came, went, or came back was changed by the event that did it. Without POINTER an
    item of an array of objects is one field; items that have an id are told apart by it, so that
    one which only moved was not changed. Event 0 is the initial state.
    """
  static let examples = [
    "refold blame s1", "refold blame s1 /value", "refold blame s1 /value --at 3",
  ]

  private let session: String
  private let pointer: JSONPointer?
  private let position: PositionArgument
  private let showsHistory: Bool
  private let depth: Int

  init(_ arguments: Arguments) throws {
    session = arguments.operands[0]
    pointer = try arguments.operand(1).map { try Self.parsed($0) }
    position = try PositionArgument(arguments.value("--at") ?? "end")
    showsHistory = arguments.has("--history")
    depth = try arguments.number("--depth", atLeast: 1) ?? .max
    if showsHistory, pointer == nil { throw Failure(.usage, "--history goes with a POINTER") }
    if arguments.has("--depth"), pointer != nil {
      throw Failure(.usage, "--depth goes without a POINTER")
    }
  }

  private static func parsed(_ text: String) throws -> JSONPointer {
    do {
      return try JSONPointer(text)
    } catch {
      throw Failure(.usage, "POINTER: \(error)")
    }
  }

  func run(_ context: Context) throws -> ExitCode {
    let store = try context.storeForReading()
    let info = try context.session(session, in: store)
    let position = try position.resolve(in: info, of: store)
    return try answer(try context.reactor(for: info), info, position, store, context)
  }

  private func answer<R: Reactor>(
    _ reactor: R, _ info: SessionInfo, _ position: Seq, _ store: any EventStore, _ context: Context
  ) throws -> ExitCode {
    let timeline = try Timeline(reactor, info, in: store)
    var progress = Progress("looked at events:", on: context.console)
    var looked = 0
    timeline.willFold = { _ in
      looked += Timeline<R>.stretch
      progress.reach(looked)
    }
    let report = BlameReport(info: info, store: store, context: context)
    guard let pointer else {
      let blames = try timeline.blame(at: position, depth: depth)
      progress.end()
      try report.write(blames)
      return .done
    }
    if showsHistory { return try history(of: pointer, through: position, timeline, report) }
    let seq = try timeline.lastChange(at: pointer, through: position)
    progress.end()
    guard try seq > .zero || timeline.fold(at: .zero).encodedState(at: pointer) != nil else {
      return nothing(at: pointer, position, context)
    }
    try report.write(seq, at: pointer, timeline)
    return .done
  }

  private func history<R: Reactor>(
    of pointer: JSONPointer, through position: Seq, _ timeline: Timeline<R>, _ report: BlameReport
  ) throws -> ExitCode {
    timeline.willFold = nil
    var count = 0
    if let value = try timeline.fold(at: .zero).encodedState(at: pointer) {
      try report.write(.zero, at: pointer, from: nil, to: value)
      count += 1
    }
    if position > .zero {
      try timeline.forEachChange(at: pointer, in: Seq(1)...position) { seq, old, new in
        try report.write(seq, at: pointer, from: old, to: new)
        count += 1
      }
    }
    return count > 0 ? .done : nothing(at: pointer, position, report.context)
  }

  private func nothing(at pointer: JSONPointer, _ position: Seq, _ context: Context) -> ExitCode {
    context.console.complain(
      "there is nothing at \(pointer) in the state at \(position), and never was")
    return .no
  }
}

/// What `blame` prints.
private struct BlameReport {
  let info: SessionInfo
  let store: any EventStore
  let context: Context

  private var output: Output { context.console.output }
  /// How many columns of a payload are shown beside a field.
  private static let payloadWidth = 48

  /// One field.
  func write<R: Reactor>(_ seq: Seq, at pointer: JSONPointer, _ timeline: Timeline<R>) throws {
    if context.isJSON {
      return output.write(try line(pointer, seq).finished())
    }
    let name = pointer.isRoot ? "the state" : Printable.line("\(pointer)")
    if seq == .zero { return output.write("\(name) is as in the initial state\n") }
    let story = try EventStory(seq, of: info, in: store).text(context.console)
    let change = try StepChange(at: seq, timeline).text(
      context.console, about: [pointer], only: true)
    output.write("\(name) was last changed by event \(seq)\n\n\(story)\n\(change)")
  }

  /// One change of a field.
  func write(_ seq: Seq, at pointer: JSONPointer, from old: [UInt8]?, to new: [UInt8]?) throws {
    if context.isJSON {
      var line = try line(pointer, seq)
      if let old { line.member("before", json: old) }
      if let new { line.member("after", json: new) }
      output.write(line.finished())
    } else {
      var text = "       0  the initial state\n"
      if seq > .zero {
        let event = try EventStory(seq, of: info, in: store).event
        var lines = EventText(context.console, last: seq, showsDays: false)
        text = lines.lines(event.header, event.payload.span.bytes)
      }
      output.write("\(text)          \(try change(pointer, old, new))\n")
    }
    if output.hasFailed { try output.flush() }
  }

  private func change(_ pointer: JSONPointer, _ old: [UInt8]?, _ new: [UInt8]?) throws -> String {
    let (from, to) = (
      try old.map { try JSONValue(parsing: $0) }, try new.map { try JSONValue(parsing: $0) }
    )
    let place = JSONPointer(tokens: ["value"])
    let document = JSONValue.object(
      JSONObject(from.map { [JSONObject.Member(key: "value", value: $0)] } ?? []))
    let operation: JSONPatch.Operation =
      switch (from, to) {
      case (nil, let value?): .add(place, value)
      case (_?, let value?): .replace(place, value)
      case (_, nil): .remove(place)
      }
    return PatchText(context.console).line(operation, document, as: pointer)
  }

  /// Every field.
  func write(_ blames: [FieldBlame]) throws {
    if context.isJSON {
      for blame in blames {
        output.write(try line(blame.pointer, blame.seq).finished())
        if output.hasFailed { try output.flush() }
      }
      return
    }
    let rows = try Self.runs(of: blames).map { run in
      let field = Self.name(of: run)
      let seq = run.first?.seq ?? .zero
      guard seq > .zero else { return [field, "0", "", "", "the initial state", ""] }
      let story = try EventStory(seq, of: info, in: store)
      let header = story.event.header
      let action = story.action.map {
        "<- \($0.header.seq) \(EventStory.excerpt($0, Self.payloadWidth))"
      }
      return [
        field, "\(seq)", "\(header.recordedAt)", header.kind.name,
        EventStory.excerpt(story.event, Self.payloadWidth), action ?? "",
      ]
    }
    let header = ["FIELD", "EVENT", "AT", "KIND", "PAYLOAD", "ACTION"]
    output.write(
      TextTable(header: header, rows: rows, rightAligned: [1]).text(for: context.console))
  }

  /// Items in a row that the same event changed, together.
  private static func runs(of blames: [FieldBlame]) -> [ArraySlice<FieldBlame>] {
    var (runs, start) = ([ArraySlice<FieldBlame>](), 0)
    for next in blames.indices.dropFirst() where !areNeighbours(blames[next - 1], blames[next]) {
      runs.append(blames[start..<next])
      start = next
    }
    return blames.isEmpty ? [] : runs + [blames[start...]]
  }

  private static func areNeighbours(_ one: FieldBlame, _ next: FieldBlame) -> Bool {
    guard one.seq == next.seq, let (place, token) = one.pointer.parent,
      let (nextPlace, nextToken) = next.pointer.parent,
      let index = Int(token), let nextIndex = Int(nextToken)
    else { return false }
    return place == nextPlace && nextIndex == index + 1
  }

  /// `/items/3`, or `/items/3…7` for several.
  private static func name(of run: ArraySlice<FieldBlame>) -> String {
    guard let first = run.first?.pointer, let last = run.last?.pointer else { return "" }
    let name = first.isRoot ? "(all)" : Printable.line("\(first)")
    return first == last ? name : "\(name)…\(last.parent?.token ?? "")"
  }

  private func line(_ pointer: JSONPointer, _ seq: Seq) throws -> JSONLine {
    var line = JSONLine()
    line.member("pointer", "\(pointer)")
    line.member("seq", seq)
    if seq > .zero { try EventStory(seq, of: info, in: store).write(into: &line) }
    return line
  }
}
