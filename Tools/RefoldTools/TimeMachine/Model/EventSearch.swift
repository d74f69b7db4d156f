import EventStoreCore

/// A walk along a session for an event, in pieces between which keys can be pressed.
struct EventSearch {
  /// What is searched for.
  enum Goal {
    /// The `count`th event that passes.
    case filter(EventFilter)
    /// An event that passes a filter and whose payload holds a pattern.
    case pattern(SearchPattern, EventFilter)
  }

  /// How far it is.
  enum Outcome: Equatable {
    case found(Seq)
    case goesOn
    /// The last one on the way, where fewer than asked for were found.
    case ended(Seq?)
  }

  /// The events of one piece: few at first, for what is searched for is mostly near.
  static let pieces = 64...4096

  let goal: Goal
  let isForward: Bool
  /// How many events that pass are still to come.
  private(set) var count: Int
  /// Where the walk is: what lies on its way has been looked at.
  private(set) var reached: Seq
  private var lastFound: Seq?
  private var piece = pieces.lowerBound
  private let start: Seq
  private let end: Seq

  /// A walk from `origin`, which is not looked at, over the events after `start` up to `end`.
  init(
    _ goal: Goal, from origin: Seq, forward: Bool, count: Int = 1, after start: Seq,
    through end: Seq
  ) {
    (self.goal, isForward, self.count, reached) = (goal, forward, count, origin)
    (self.start, self.end) = (start, end)
  }

  /// Asks for `more` events beyond the one that is searched for: a key that was pressed again.
  mutating func add(_ more: Int) { count += more }

  /// Looks at the next piece.
  mutating func advance(_ session: SessionID, of store: any EventStore) throws -> Outcome {
    defer { piece = min(piece * 4, Self.pieces.upperBound) }
    return isForward ? try forward(session, store) : try backward(session, store)
  }

  private mutating func forward(_ session: SessionID, _ store: any EventStore) throws -> Outcome {
    guard reached < end else { return .ended(lastFound) }
    let last = min(end, reached.advanced(by: piece) ?? end)
    var page = EventBatch()
    while reached < last {
      try store.read(session, after: reached, through: last, into: &page)
      guard let pageEnd = page.headers.last?.seq else { return .ended(lastFound) }
      for index in 0..<page.count
      where page.withPayload(at: index, { passes(page.headers[index], $0) }) {
        if take(page.headers[index].seq) { return .found(page.headers[index].seq) }
      }
      reached = pageEnd
    }
    return reached < end ? .goesOn : .ended(lastFound)
  }

  private mutating func backward(_ session: SessionID, _ store: any EventStore) throws -> Outcome {
    let before = reached.previous
    guard before > start else { return .ended(lastFound) }
    let first = max(start, before.advanced(by: -piece) ?? start)
    var found: [Seq] = []
    try store.forEachEvent(of: session, after: first, through: before) {
      if passes($0, $1) { found.append($0.seq) }
    }
    for seq in found.reversed() where take(seq) { return .found(seq) }
    reached = first.advanced(by: 1) ?? first
    return first > start ? .goesOn : .ended(lastFound)
  }

  private mutating func take(_ seq: Seq) -> Bool {
    lastFound = seq
    count -= 1
    return count <= 0
  }

  private func passes(_ header: EventHeader, _ payload: RawSpan) -> Bool {
    switch goal {
    case .filter(let filter): filter.passes(header, payload)
    case .pattern(let pattern, let filter):
      filter.passes(header, payload) && payload.withUnsafeBytes { pattern.matches($0) }
    }
  }
}
