import EventStoreCore

/// The listed events around the place that is looked at, read from the store as they are needed.
///
/// Of a session only a stretch is known at a time, and of that the events which pass the filter. A
/// call reads at most `budget` events, so that it is short whatever the filter; `isIncomplete` then
/// says that another call would find more.
struct EventWindow {
  /// The most events that one call reads.
  static let budget = 4096
  /// The most rows that are kept.
  static let rowLimit = 4000
  /// As many as a screen needs, and some more.
  private static let chunk = 64

  private let store: any EventStore
  private let session: SessionID
  /// Only events after this one are listed.
  let start: Seq
  /// The last event that is listed; grows with a session that is followed.
  var end: Seq
  let filter: EventFilter
  /// Whether a call since `startLooking` gave less than was asked for because its budget was spent.
  private(set) var isIncomplete = false
  private var rows: [EventRow] = []
  /// What is known: the events after `known.after`, up to `known.through`.
  private(set) var known: (after: Seq, through: Seq)

  /// A window over the events after `start`, up to `end`, that pass `filter`.
  init(
    _ session: SessionID, of store: any EventStore, after start: Seq, through end: Seq,
    filter: EventFilter = .all
  ) {
    (self.store, self.session, self.start, self.end, self.filter) =
      (store, session, start, end, filter)
    known = (start, start)
  }

  /// Begins some calls that `isIncomplete` is then about.
  mutating func startLooking() { isIncomplete = false }

  /// The first `count` listed events after `seq`.
  mutating func rows(after seq: Seq, _ count: Int) throws -> ArraySlice<EventRow> {
    move(to: seq)
    var budget = Self.budget
    while rows.count - place(after: seq) < count, known.through < end, budget > 0 {
      budget -= try readForward()
    }
    let first = place(after: seq)
    if rows.count - first < count, known.through < end { isIncomplete = true }
    return rows[first...].prefix(count)
  }

  /// The last `count` listed events up to and including `seq`, oldest first.
  mutating func rows(through seq: Seq, _ count: Int) throws -> ArraySlice<EventRow> {
    let seq = min(seq, end)
    move(to: seq)
    var budget = Self.budget
    while place(after: seq) < count, known.after > start, budget > 0 {
      budget -= try readBackward()
    }
    let last = place(after: seq)
    if last < count, known.after > start { isIncomplete = true }
    return rows[..<last].suffix(count)
  }

  /// The event `seq`, whether it is listed or not; nil where there is none.
  func row(_ seq: Seq) throws -> EventRow? {
    if let row = rows.dropFirst(place(after: seq.previous)).first, row.seq == seq { return row }
    guard seq > .zero else { return nil }
    var found: EventRow?
    var page = EventBatch()
    try store.read(session, after: seq.previous, through: seq, into: &page)
    page.visit { found = EventRow($0, $1) }
    return found
  }

  /// Starts anew at `seq` where what is known does not reach it.
  private mutating func move(to seq: Seq) {
    if seq >= known.after, seq <= known.through { return }
    rows = []
    known = (seq, seq)
  }

  private func place(after seq: Seq) -> Int {
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].seq <= seq { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// - Returns: how many events were read.
  private mutating func readForward() throws -> Int {
    let last = min(end, known.through.advanced(by: filter.isAll ? Self.chunk : 1024) ?? end)
    var page = EventBatch()
    try store.read(session, after: known.through, through: last, into: &page)
    page.visit { if filter.passes($0, $1) { rows.append(EventRow($0, $1)) } }
    known.through = page.headers.last?.seq ?? last
    if rows.count > Self.rowLimit {
      rows.removeFirst(rows.count - Self.rowLimit * 3 / 4)
      known.after = rows.first?.seq.previous ?? known.through
    }
    return max(1, page.count)
  }

  private mutating func readBackward() throws -> Int {
    let size = filter.isAll ? Self.chunk : 1024
    let first = max(start, known.after.advanced(by: -size) ?? start)
    var (found, count) = ([EventRow](), 0)
    try store.forEachEvent(of: session, after: first, through: known.after) {
      count += 1
      if filter.passes($0, $1) { found.append(EventRow($0, $1)) }
    }
    rows.insert(contentsOf: found, at: 0)
    known.after = first
    if rows.count > Self.rowLimit {
      rows.removeLast(rows.count - Self.rowLimit * 3 / 4)
      known.through = rows.last?.seq ?? known.after
    }
    return max(1, count)
  }
}
