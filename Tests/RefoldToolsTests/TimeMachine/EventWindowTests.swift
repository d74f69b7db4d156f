import EventStoreCore
import EventStoreTesting
import Testing

@testable import RefoldTools

@Suite("The list of events")
struct EventWindowTests {
  private let store = InMemoryEventStore()
  private let session: SessionID

  init() throws { session = try store.createSession("s") }

  private func append(actions count: Int) throws {
    let version = try store.tail(of: session).version
    try store.append(
      EventBatch(actions: count, after: version), to: session, expecting: version,
      schemaVersion: 1)
  }

  private func window(_ filter: String = "", through end: Seq? = nil) throws -> EventWindow {
    EventWindow(
      session, of: store, after: .zero, through: try end ?? store.tail(of: session).version,
      filter: EventFilter(filter))
  }

  @Test func reads_only_what_is_looked_at() throws {
    for _ in 0..<20 { try append(actions: 2000) }
    var window = try window()
    #expect(try window.rows(after: 40_000, 30).map(\.seq.rawValue) == Array(40_001...40_030))
    #expect(window.known.after.distance(to: window.known.through) <= 128)
    #expect(try window.rows(through: 40_000, 30).map(\.seq.rawValue) == Array(39_971...40_000))
    #expect(window.known.after.distance(to: window.known.through) <= 256)
    #expect(try window.rows(after: 79_990, 30).count == 10)
    #expect(!window.isIncomplete)
    #expect(try window.rows(through: 5, 30).map(\.seq.rawValue) == Array(1...5))
  }

  @Test func keeps_a_bounded_number_of_rows_however_far_it_is_scrolled() throws {
    for _ in 0..<10 { try append(actions: 2000) }
    var (window, seq) = (try window(), Seq.zero)
    while let last = try window.rows(after: seq, 50).last?.seq {
      seq = last
      #expect(window.known.after.distance(to: window.known.through) <= EventWindow.rowLimit)
    }
    #expect(seq == 40_000)
    while let first = try window.rows(through: seq.previous, 50).first?.seq {
      seq = first
      #expect(window.known.after.distance(to: window.known.through) <= EventWindow.rowLimit)
    }
    #expect(seq == 1)
  }

  @Test func a_rare_match_is_found_over_several_calls_each_of_which_is_short() throws {
    for _ in 0..<10 { try append(actions: 1000) }
    let version = try store.tail(of: session).version
    try store.append(
      EventBatch(after: version, [(.action, 0, "\"Needle\"")]), to: session, expecting: version,
      schemaVersion: 1)
    var window = try window("needle")
    #expect(try window.rows(after: .zero, 1).isEmpty)
    #expect(window.isIncomplete)
    #expect(window.known.through.rawValue <= UInt32(EventWindow.budget) + 1024)
    var calls = 1
    while window.isIncomplete {
      window.startLooking()
      _ = try window.rows(after: .zero, 1)
      calls += 1
    }
    #expect(calls > 3)
    #expect(try window.rows(after: .zero, 1).map(\.seq) == [20_001])
    #expect(try window.rows(through: 20_001, 5).map(\.seq) == [20_001])
  }

  @Test func a_growing_session_is_seen_once_its_end_is_moved() throws {
    try append(actions: 1)
    var window = try window()
    #expect(try window.rows(after: .zero, 10).count == 2)
    try append(actions: 2)
    #expect(try window.rows(after: .zero, 10).count == 2)
    window.end = try store.tail(of: session).version
    #expect(try window.rows(after: .zero, 10).count == 6)
  }

  static let filters: [(text: String, seqs: [UInt32])] = [
    ("", [1, 2, 3, 4, 5, 6]), ("action", [1, 4]), ("actions mutation", [1, 2, 4]), ("@4", [4, 6]),
    ("failed", [6]), ("secondly", [4]), ("SECONDLY", []), ("action second", [4]),
    ("pending failed", [3, 6]),
  ]

  @Test(arguments: filters.indices) func filters_by_kind_cause_and_words(_ index: Int) throws {
    let events = EventBatch(
      after: .zero,
      [
        (.action, 0, "\"first\""), (.mutation, 1, "{\"set\":1}"), (.pending, 1, "{\"owner\":1}"),
        (.action, 0, "\"Secondly\""), (.completed, 1, "{}"), (.failed, 4, "{\"error\":\"no\"}"),
      ])
    try store.append(events, to: session, expecting: .zero, schemaVersion: 1)
    let (text, seqs) = Self.filters[index]
    var window = try window(text)
    #expect(try window.rows(after: .zero, 10).map(\.seq.rawValue) == seqs, "\(text)")
  }

  @Test func an_event_far_from_its_action_is_shown_beneath_it_again() throws {
    let events = EventBatch(
      after: .zero,
      [
        (.action, 0, "\"a\""), (.pending, 1, "{}"), (.action, 0, "\"b\""), (.mutation, 3, "1"),
        (.mutation, 1, "2"), (.completed, 1, "{}"), (.mutation, 0, "3"),
      ])
    try store.append(events, to: session, expecting: .zero, schemaVersion: 1)
    var window = try window()
    let whole = try EventListLayout(&window, top: .zero, position: .zero, height: 20)
    #expect(whole.lines.map(Self.text) == ["0", "1", " 2", "3", " 4", "^1", " 5", " 6", "7"])
    let cut = try EventListLayout(&window, top: 4, position: 6, height: 3)
    #expect(cut.lines.map(Self.text) == ["^1", " 5", " 6"])
    #expect(cut.top == 5)
  }

  @Test func the_position_is_always_on_the_screen() throws {
    try append(actions: 300)
    var (window, generator) = (try window(), SeededGenerator(seed: 3))
    for _ in 0..<500 {
      let position = Seq(UInt32.random(in: 0...600, using: &generator))
      let top = Seq(UInt32.random(in: 0...600, using: &generator))
      let height = Int.random(in: 1...40, using: &generator)
      let layout = try EventListLayout(&window, top: top, position: position, height: height)
      // One row may show nothing but the action that the position comes from.
      let isSeen = layout.lines.contains { $0.seq == position }
      #expect(isSeen || height == 1, "\(position) from \(top) in \(height)")
      #expect(layout.lines.count <= height)
      // Nor is room left, but for the row of an action that is not repeated after all.
      #expect(layout.lines.count >= height - 1, "\(position) from \(top) in \(height)")
    }
  }

  private static func text(_ line: EventListLayout.Line) -> String {
    switch line {
    case .start(let seq): "\(seq)"
    case .cause(let row): "^\(row.seq)"
    case .event(let row, let isIndented): (isIndented ? " " : "") + "\(row.seq)"
    }
  }
}

@Suite("A line of the list")
struct EventRowTests {
  static let payloads: [(payload: String, name: String, details: String)] = [
    (#"{"increase":{"by":2}}"#, "increase", #"{"by":2}"#), (#"{"add":{"_0":2}}"#, "add", "2"),
    (#""reset""#, "reset", ""), (#"{"reset":{}}"#, "reset", ""),
    (#"{"a":1,"b":2}"#, "", #"{"a":1,"b":2}"#), ("[1]", "", "[1]"), ("not JSON", "", "not JSON"),
    (#"{"say":{"_0":"\u001b[31m"}}"#, "say", #""\u001b[31m""#),
    (#"{"\u001b[31m":{}}"#, "\\u{1b}[31m", ""),
  ]

  @Test(arguments: payloads.indices) func names_the_case(_ index: Int) {
    let (payload, name, details) = Self.payloads[index]
    let header = EventHeader(
      seq: 1, kind: .action, cause: .zero, recordedAt: Timestamp(microseconds: 0))
    let row = EventRow(header, Array(payload.utf8).span.bytes)
    #expect(row.name == name)
    #expect(row.details == details)
  }

  @Test func of_a_long_payload_the_begin_is_enough() {
    let payload = #"{"insert":{"_0":""# + String(repeating: "x", count: 5_000_000) + #""}}"#
    let header = EventHeader(
      seq: 1, kind: .action, cause: .zero, recordedAt: Timestamp(microseconds: 0))
    let row = EventRow(header, Array(payload.utf8).span.bytes)
    #expect(row.name == "insert")
    #expect(row.details.utf8.count < 2 * EventRow.payloadLimit)
  }

  @Test func elapsed_time_is_short_and_exact_where_it_counts() {
    let start = Timestamp(microseconds: 0)
    let text = { (seconds: Double) in
      ElapsedTime.text(from: start, to: Timestamp(microseconds: Int64(seconds * 1e6)))
    }
    #expect(text(0) == "0.000")
    #expect(text(59.9994) == "59.999")
    #expect(text(125.19) == "2:05.1")
    #expect(text(10_812) == "3:00:12")
    #expect(text(356_400) == "4d 03:00")
  }
}
