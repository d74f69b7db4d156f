import EventStoreCore
import EventStoreTesting
import Foundation
import JSONTree
import Synchronization
import Testing

@testable import RefoldTools

/// States that a test hands out: `{"value":seq}`.
private final class StubStates: StateAnswering {
  private struct Asked {
    var positions: [StateRequest.Position] = []
    var changes: [StateRequest.Change] = []
    var reports: [StateReport] = []
    var stops = 0
  }

  private let asked = Mutex(Asked())

  func show(_ position: StateRequest.Position) { asked.withLock { $0.positions.append(position) } }
  func find(_ change: StateRequest.Change) { asked.withLock { $0.changes.append(change) } }
  func stopFinding() { asked.withLock { $0.stops += 1 } }
  func perform(_ chore: StateRequest.Chore) {}
  func stop() {}

  func reports() -> [StateReport] {
    asked.withLock { asked in
      defer { asked.reports = [] }
      return asked.reports
    }
  }

  var positions: [StateRequest.Position] { asked.withLock { $0.positions } }
  var changes: [StateRequest.Change] { asked.withLock { $0.changes } }

  func report(_ report: StateReport) { asked.withLock { $0.reports.append(report) } }

  func answer(_ seq: Seq) throws {
    let document = try JSONDocument(Array("{\"value\":\(seq),\"other\":[1,2]}".utf8))
    report(.state(ShownState(seq: seq, document: document, screen: nil)))
    report(
      .changes(ChangeList(from: seq.previous, ["value": 0], to: seq, ["value": 1])))
  }
}

@Suite("The time machine")
final class TimeMachineModelTests {
  private let store = InMemoryEventStore()
  private let states = StubStates()
  private let clock = Mutex<Int64>(0)

  private func model(actions: Int = 3, at position: Seq = .zero) throws -> TimeMachineModel {
    let session = try store.createSession("s")
    if actions > 0 {
      try store.append(
        EventBatch(actions: actions, after: .zero), to: session, expecting: .zero,
        schemaVersion: 1)
    }
    let info = try #require(try store.session(named: SessionName("s")))
    return try TimeMachineModel(
      info, in: store, after: .zero, through: try store.tail(of: session).version, at: position,
      worker: states, now: { [unowned self] in clock.withLock { $0 } })
  }

  private func press(_ text: String, _ model: TimeMachineModel) throws {
    for character in text { try model.press(character == "\r" ? .enter : .character(character)) }
  }

  private func lines(_ model: TimeMachineModel, _ columns: Int = 90, _ rows: Int = 12) throws
    -> [String]
  {
    let screen = try model.draw(columns: columns, rows: rows)
    return (0..<screen.rows).map { row in
      String((0..<screen.columns).map { screen[$0, row] }.filter { $0.width > 0 }.map(\.character))
    }
  }

  @Test func steps_by_event_and_by_action() throws {
    let model = try model()
    for (keys, seq) in [
      ("j", 1), ("j", 2), ("k", 1), ("l", 3), ("l", 5), ("h", 3), ("h", 1), ("h", 0), (".", 1),
      (">", 3), (",", 2), ("<", 1), ("G", 6), ("j", 6), ("g", 0), ("k", 0), ("lll", 5),
    ] as [(String, Seq)] {
      try press(keys, model)
      #expect(model.position == seq, "\(keys)")
    }
  }

  @Test func goes_to_positions_as_the_command_line_writes_them() throws {
    let model = try model()
    for (text, seq) in [("4", 4), ("-2", 4), ("end", 6), ("0", 0), ("-6", 0)] as [(String, Seq)] {
      try press(":\(text)\r", model)
      #expect(model.position == seq, "\(text)")
      #expect(model.message == nil)
    }
    try press(":2023-11-14T22:13:20.000003Z\r", model)
    #expect(model.position == 3)
    try press(":7\r", model)
    #expect(model.position == 3)
    #expect(model.message?.contains("beyond session s") == true)
    try press(":x\r", model)
    #expect(model.message?.contains("is no position") == true)
  }

  @Test func asks_for_the_state_and_its_step_and_with_a_mark_for_the_range() throws {
    let model = try model(at: 2)
    try press("j", model)
    #expect(states.positions.last == .init(seq: 3, from: 2))
    try press("v", model)
    try press("jj", model)
    #expect(states.positions.last == .init(seq: 5, from: 3))
    try model.press(.escape)
    #expect(states.positions.last == .init(seq: 5, from: 4))
  }

  @Test func a_late_state_of_another_position_is_told_from_this_ones() throws {
    let model = try model(at: 2)
    try states.answer(2)
    try model.tick()
    #expect(try lines(model).contains { $0.contains("value: 2") })
    try press("j", model)
    let stale = try lines(model)
    #expect(stale.contains { $0.contains("still at 2") })
    try states.answer(3)
    try model.tick()
    let fresh = try lines(model)
    #expect(fresh.contains { $0.contains("~ ") && $0.contains("value: 3") })
    #expect(!fresh.contains { $0.contains("still at") })
  }

  @Test func finds_changes_of_the_field_that_is_selected() throws {
    let model = try model(at: 4)
    try states.answer(4)
    try model.tick()
    _ = try lines(model)
    try model.press(.tab)
    try press("j]", model)
    let asked = try #require(states.changes.last)
    #expect(asked.pointer == "/value" && asked.from == 4 && asked.isForward && asked.limit == 6)
    #expect(try lines(model).last?.contains("looking forward for a change of /value") == true)
    states.report(.change(6, pointer: "/value"))
    try model.tick()
    #expect(model.position == 6)
    try press("[", model)
    #expect(states.changes.last?.isForward == false)
    #expect(states.changes.last?.limit == 0)
    states.report(.change(nil, pointer: "/value"))
    try model.tick()
    #expect(model.position == 6)
    #expect(model.message == "Nothing before this event changed /value.")
  }

  @Test func a_search_far_away_goes_on_between_keys_and_can_be_stopped() throws {
    let model = try model(actions: 30_000)
    let version = try store.tail(of: model.info.id).version
    try store.append(
      EventBatch(after: version, [(.action, 0, "\"needle\"")]), to: model.info.id,
      expecting: version, schemaVersion: 1)
    try model.lookForNewEvents()
    try press("/needle\r", model)
    #expect(model.search != nil && model.wait == 0)
    try model.press(.escape)
    #expect(model.search == nil && model.position == 0)
    try press("n", model)
    while model.search != nil { try model.tick() }
    #expect(model.position == 60_001)
    try press("n", model)
    #expect(model.message == "No event after this one has \"needle\".")
  }

  @Test func keys_pressed_while_a_step_is_looked_for_are_not_lost() throws {
    let model = try model(actions: 0)
    let filler: [(kind: EventKind, cause: UInt32, payload: String)] = Array(
      repeating: (.mutation, 0, "1"), count: 9000)
    for action in ["\"a\"", "\"b\""] {
      let version = try store.tail(of: model.info.id).version
      try store.append(
        EventBatch(after: version, filler + [(.action, 0, action)]), to: model.info.id,
        expecting: version, schemaVersion: 1)
    }
    try model.lookForNewEvents()
    try press("ll", model)
    while model.search != nil { try model.tick() }
    #expect(model.position == 18_002)
  }

  @Test func plays_at_the_recorded_speed_without_idle_time() throws {
    let session = try store.createSession("s")
    var batch = EventBatch()
    for (index, second) in [0, 1, 2, 1000, 1001].enumerated() {
      let time = Timestamp(microseconds: 1_700_000_000_000_000 + Int64(second) * 1_000_000)
      batch.append(
        EventHeader(seq: Seq(UInt32(index) + 1), kind: .action, cause: .zero, recordedAt: time),
        payload: Array("\"a\"".utf8))
    }
    try store.append(batch, to: session, expecting: .zero, schemaVersion: 1)
    let info = try #require(try store.session(named: SessionName("s")))
    let model = try TimeMachineModel(
      info, in: store, after: .zero, through: 5, at: .zero, worker: nil,
      now: { [unowned self] in clock.withLock { $0 } })
    try press(" ", model)
    var arrivals: [Seq: Int64] = [:]
    while model.isPlaying {
      try model.tick()
      let now = clock.withLock { $0 }
      if arrivals[model.position] == nil { arrivals[model.position] = now }
      clock.withLock { $0 += 1000 }
      if now > 60_000_000 { break }
    }
    let seconds = (1...5).map { (arrivals[Seq($0)] ?? -1) / 100_000 }
    #expect(seconds == [0, 10, 20, 40, 50])
    #expect(model.message == "This is the end.")
    #expect(Playback.speeds.first == 1 && Playback.speeds.last == 100)
  }

  @Test func bookmarks_are_listed_and_gone_to() throws {
    let model = try model(at: 5)
    try press("m", model)
    try press("ggm", model)
    #expect(model.bookmarks == [0, 5])
    try press("'", model)
    #expect(try lines(model).contains { $0.contains("the initial state") })
    try press("j\r", model)
    #expect(model.position == 5)
    try press("m", model)
    #expect(model.bookmarks == [0])
  }

  @Test func no_line_is_marked_where_a_filter_hides_the_position() throws {
    let model = try model(at: 4)
    let isMarked = { (row: Int) in
      let screen = try model.draw(columns: 90, rows: 12)
      return (0..<20).contains { screen[$0, row].style.isReversed }
        || String((0..<4).map { screen[$0, row].character }).contains("›")
    }
    #expect(try (1...10).contains { try isMarked($0) })
    try press("faction\r", model)
    #expect(model.position == 4)
    #expect(try !(1...10).contains { try isMarked($0) })
    let shown = try lines(model)
    #expect(shown[0].contains("4/6") && shown[1].contains("filter: action  hides 4"))
    try press("k", model)
    #expect(try (1...10).contains { try isMarked($0) })
    #expect(try !lines(model)[1].contains("hides"))
  }

  @Test func every_key_of_the_help_means_something() throws {
    let help = KeyHelp.sections.flatMap(\.keys).map(\.keys).joined(separator: " ")
    let model = try model(at: 2)
    try states.answer(2)
    try model.tick()
    _ = try lines(model)
    for word in help.split(separator: " ") where word.count == 1 {
      for isListFocused in [true, false] {
        (model.isListFocused, model.prompt, model.overlay) = (isListFocused, nil, nil)
        try press(String(word), model)
      }
    }
    #expect(model.wish == .quit)
  }

  @Test func any_size_can_be_drawn_in_any_condition() throws {
    let model = try model(at: 4)
    try states.answer(4)
    try model.tick()
    for keys in ["", "?", "\u{1B}'", "\u{1B}:12", "\u{1B}1", "2", "3", "ffailed\r"] {
      for key in keys { try press(key == "\u{1B}" ? "" : String(key), model) }
      if keys.hasPrefix("\u{1B}") { try model.press(.escape) }
      for (columns, rows) in [(1, 1), (2, 1), (1, 2), (3, 3), (20, 4), (59, 2), (60, 3), (300, 90)]
      {
        let screen = try model.draw(columns: columns, rows: rows)
        #expect(screen.columns == columns && screen.rows == rows)
      }
    }
  }

  @Test func a_session_without_events_is_shown_and_grows() throws {
    let model = try model(actions: 0)
    try press("F", model)
    #expect(try lines(model).contains { $0.contains("no events yet") })
    try store.append(
      EventBatch(actions: 1, after: .zero), to: model.info.id, expecting: .zero, schemaVersion: 1)
    clock.withLock { $0 += TimeMachineModel.pollInterval }
    try model.tick()
    #expect(model.position == 2)
    try press("k", model)
    try store.append(
      EventBatch(actions: 1, after: 2), to: model.info.id, expecting: 2, schemaVersion: 1)
    clock.withLock { $0 += TimeMachineModel.pollInterval }
    try model.tick()
    #expect(model.position == 1, "who looks at the past is left there")
    #expect(model.window.end == 4)
  }
}
