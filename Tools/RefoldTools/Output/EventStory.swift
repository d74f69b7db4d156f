import EventStoreCore
import JSONTree
import Refold

/// An event, the action that it comes from, and what it changed: the answer to who did something.
struct EventStory {
  let event: Event
  /// The action `cause`; nil where the event comes from outside any.
  let action: Event?

  /// How many columns of a payload are shown.
  private static let payloadWidth = 200

  /// The event `seq`, which is there.
  ///
  /// - Throws: `EventStoreError`.
  init(_ seq: Seq, of session: SessionInfo, in store: any EventStore) throws {
    event = try store.event(seq, of: session)
    let cause = event.header.cause
    action = cause > .zero && cause < seq ? try store.event(cause, of: session) : nil
  }

  /// Members that tell the story on a line of JSON.
  func write(into line: inout JSONLine) {
    line.member("kind", event.header.kind.name)
    line.member("cause", event.header.cause)
    line.member("at", event.header.recordedAt)
    line.member("payload", json: event.payload.span.bytes)
    if let action { line.member("action", json: action.payload.span.bytes) }
  }

  /// Event and action, a row a part.
  func text(_ console: Console) -> String {
    var rows = [
      ("event", "\(event.header.seq)"), ("kind", event.header.kind.name),
      ("cause", "\(event.header.cause)"), ("at", "\(event.header.recordedAt)"),
      ("payload", Self.excerpt(event, Self.payloadWidth)),
    ]
    if let action { rows.append(("action", Self.excerpt(action, Self.payloadWidth))) }
    return rows.map { console.styled(Printable.padded($0, to: 8), .bold) + " " + $1 }
      .joined(separator: "\n") + "\n"
  }

  /// The payload on one line, cut.
  static func excerpt(_ event: Event, _ width: Int) -> String {
    // A character may have some dozens of bytes.
    Printable.cut(Printable.line(event.payload.prefix(64 * width)), to: width)
  }
}

extension EventStore {
  /// The event `seq` of `session`.
  /// - Throws: `EventStoreError.noSuchEvent`.
  fileprivate func event(_ seq: Seq, of session: SessionInfo) throws -> Event {
    var page = EventBatch()
    try read(session.id, after: seq.previous, through: seq, into: &page)
    guard !page.isEmpty else {
      let last = try tail(of: session.id).version
      throw EventStoreError.noSuchEvent(session: session.name.rawValue, seq: seq, last: last)
    }
    return page[0]
  }
}

/// What one step changed in the state.
struct StepChange {
  let before: JSONValue
  let patch: JSONPatch

  /// What the event `seq` changed.
  init<R: Reactor>(at seq: Seq, _ timeline: Timeline<R>) throws {
    func state(_ seq: Seq) throws -> JSONValue {
      let state = try timeline.fold(at: seq).encodedState(at: JSONPointer())
      return try state.map { try JSONValue(parsing: $0) } ?? .null
    }
    before = try state(seq.previous)
    patch = JSONPatch(from: before, to: try state(seq))
  }

  /// The most operations that are shown.
  private static let shownOperations = 12

  /// A line an operation under a heading: first those about what lies at `pointers`, then as many of
  /// the others as are few, or none of them where `isOnly` and there are any about the pointers.
  func text(_ console: Console, about pointers: [JSONPointer], only isOnly: Bool = false) -> String
  {
    let lines = PatchText(console).lines(patch, from: before).split(separator: "\n")
    let rows = zip(patch.operations, lines).map { operation, line in
      (isMeant: pointers.contains { Self.isAbout(operation, $0) }, line: line)
    }
    let meant = rows.filter(\.isMeant).map(\.line)
    let others = isOnly && !meant.isEmpty ? [] : rows.filter { !$0.isMeant }.map(\.line)
    let all = meant + others
    let shown = all.prefix(Self.shownOperations)
    let rest = all.count - shown.count
    let note = rest > 0 ? "… and \(Printable.counted(rest, "change")) more\n" : ""
    return console.styled("changed", .bold) + "\n" + shown.joined(separator: "\n") + "\n" + note
  }

  private static func isAbout(_ operation: JSONPatch.Operation, _ pointer: JSONPointer) -> Bool {
    pointer.contains(operation.path) || operation.path.contains(pointer)
  }
}
