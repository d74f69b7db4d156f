import EventStoreCore
import JSONTree
import Refold
import Sections

/// `refold diff SESSION A B`: what changed between two positions.
struct DiffCommand: Command {
  static let name = "diff"
  static let summary = "what changed between two positions of a session"
  static let operands = [
    Operand(name: "SESSION", summary: "a session's name, or @last"),
    Operand(name: "A", summary: "the position to compare from"),
    Operand(name: "B", summary: "the position to compare to"),
  ]
  static let options: [Option] = [
    .flag("--sections", "what changed on screen: the steps by which a view follows")
  ]
  static let discussion = """
    --sections is for reactors whose State conforms to SectionsPresenting (docs/Sections.md). It
    gives up to three changesets: deletes and updates, then sections inserted and moved, then items
    inserted and moved. An index is one before the changeset for -, ~ and the left of >, one after it
    for + and the right of >.
    """
  static let examples = [
    "refold diff s1 0 end", "refold diff s1 -5 end --json", "refold diff s1 12 end --sections",
  ]

  private let session: String
  private let from: PositionArgument
  private let to: PositionArgument
  private let isOfSections: Bool

  init(_ arguments: Arguments) throws {
    session = arguments.operands[0]
    from = try PositionArgument(arguments.operands[1])
    to = try PositionArgument(arguments.operands[2])
    isOfSections = arguments.has("--sections")
  }

  func run(_ context: Context) throws -> ExitCode {
    let store = try context.storeForReading()
    let info = try context.session(session, in: store)
    let (from, to) = (
      try from.resolve(in: info, of: store), try to.resolve(in: info, of: store)
    )
    let reactor = try context.reactor(for: info)
    if isOfSections { try requireSections(of: reactor, context) }
    try diff(reactor, info, from, to, store, context)
    return .done
  }

  private func diff<R: Reactor>(
    _ reactor: R, _ info: SessionInfo, _ from: Seq, _ to: Seq, _ store: any EventStore,
    _ context: Context
  ) throws {
    // The later state is folded on from the earlier one.
    var fold = try TimeMachine(reactor, info, in: store).fold(through: min(from, to))
    let earlier = fold.state
    try fold.advance(through: max(from, to), of: info.id, in: store)
    let (old, new) = from <= to ? (earlier, fold.state) : (fold.state, earlier)
    let report = DiffReport(from: from, to: to, context: context)
    if isOfSections, let old = old as? any SectionsPresenting {
      try report.writeSections(old, new)
    } else {
      try report.writePatch(old, new)
    }
  }

  private func requireSections<R: Reactor>(of reactor: R, _ context: Context) throws {
    if reactor.initialState is any SectionsPresenting { return }
    throw Failure.noFace(of: R.name, "sections", "SectionsPresenting", context) {
      $0 is any SectionsPresenting
    }
  }
}

/// What changed between two positions, written to standard output.
private struct DiffReport {
  let from: Seq
  let to: Seq
  let context: Context

  func writePatch(_ old: some Encodable, _ new: some Encodable) throws {
    let codec = EventCodec()
    let old = try JSONValue(parsing: codec.encode(old))
    let patch = JSONPatch(from: old, to: try JSONValue(parsing: codec.encode(new)))
    if context.isJSON {
      write("patch", patch.json)
    } else {
      let lines = PatchText(context.console).lines(patch, from: old)
      write(patch.operations.isEmpty ? nil : lines + "\n")
    }
  }

  func writeSections<S: SectionsPresenting>(_ old: S, _ new: any Sendable) throws {
    guard let new = new as? S else { return }
    let sections = old.sections
    let changes: [Changeset<S.SectionID, S.Item>]
    do {
      changes = try Changeset.diff(from: sections, to: new.sections)
    } catch {
      throw Failure(.badInput, "the sections at \(from) and \(to) have no diff: \(error)")
    }
    typealias Text = ChangesetText<S.SectionID, S.Item>
    if context.isJSON {
      write("changesets", Text.json(changes, from: sections))
    } else {
      let lines = Text(context.console).lines(changes, from: sections)
      write(changes.isEmpty ? nil : lines)
    }
  }

  private func write(_ name: StaticString, _ value: JSONValue) {
    var line = JSONLine()
    line.member("from", from)
    line.member("to", to)
    line.member(name, json: value.serialized)
    context.console.output.write(line.finished())
  }

  /// The lines, or that there are none.
  private func write(_ lines: String?) {
    context.console.output.write(lines ?? "nothing changed between \(from) and \(to)\n")
  }
}
