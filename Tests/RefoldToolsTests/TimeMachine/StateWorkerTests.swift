import Dispatch
import EventStoreCore
import EventStoreTesting
import Foundation
import Refold
import Synchronization
import Testing

@testable import RefoldTools

/// Stops the first fold that reaches it until it is let go.
private final class Hold: Sendable {
  let reached = DispatchSemaphore(value: 0)
  let letGo = DispatchSemaphore(value: 0)
  private let isOver = Mutex(false)

  func pass() {
    let isFirst = isOver.withLock { isOver in
      defer { isOver = true }
      return !isOver
    }
    guard isFirst else { return }
    reached.signal()
    letGo.wait()
  }
}

private struct SumReactor: Reactor {
  enum Action: Codable, Sendable { case none }
  enum Mutation: Codable, Sendable { case add(Int) }
  struct State: Codable, Sendable {
    var sum = 0
    var last = 0
    var tens = 0
  }

  let initialState = State()
  var hold: Hold?

  func mutate(action: Action, state: State) -> Effect<Mutation> { .empty }

  func reduce(state: inout State, mutation: Mutation) {
    hold?.pass()
    switch mutation {
    case .add(let amount):
      state.sum &+= amount
      state.last = amount
      if amount % 10 == 0 { state.tens = amount }
    }
  }
}

@Suite("The worker for states", .timeLimit(.minutes(5)))
struct StateWorkerTests {
  private let store = InMemoryEventStore()
  private let news = DispatchSemaphore(value: 0)

  private func worker(events: Int, hold: Hold? = nil) throws -> any StateAnswering {
    let session = try store.createSession("s", reactor: "SumReactor")
    var version = Seq.zero
    while version < Seq(UInt32(events)) {
      let count = min(4000, version.distance(to: Seq(UInt32(events))))
      let batch = EventBatch(
        after: version,
        (1...count).map { (.mutation, 0, #"{"add":{"_0":\#(Int(version.rawValue) + $0)}}"#) })
      version = try store.append(
        batch, to: session, expecting: version, schemaVersion: 1
      ).lastSeq
    }
    let info = try #require(try store.session(named: SessionName("s")))
    let chores = StateChores(storePath: "/nowhere", patience: 0, console: Console())
    return StateWorker(SumReactor(hold: hold), info, in: store, chores: chores) { [news] in
      news.signal()
    }
  }

  /// The reports up to the first that `isLast` holds of.
  private func reports(
    _ worker: any StateAnswering, until isLast: (StateReport) -> Bool
  ) throws -> [StateReport] {
    var reports: [StateReport] = []
    while !reports.contains(where: isLast) {
      try #require(news.wait(timeout: .now() + 60) == .success, "no report")
      reports += worker.reports()
    }
    return reports
  }

  @Test func tells_a_state_and_then_what_changed() throws {
    let worker = try worker(events: 30)
    defer { worker.stop() }
    worker.show(.init(seq: 20, from: 19))
    let reports = try reports(worker) { if case .changes = $0 { true } else { false } }
    guard case .state(let state) = reports.first, case .changes(let changes) = reports.last else {
      Issue.record("\(reports)")
      return
    }
    #expect(state.seq == 20)
    #expect(
      String(decoding: state.document.bytes, as: UTF8.self) == #"{"last":20,"sum":210,"tens":20}"#)
    #expect(
      changes.lines.map(\.text) == [
        "~ /last: 19 -> 20", "~ /sum: 190 -> 210", "~ /tens: 10 -> 20",
      ])
  }

  @Test func a_newer_position_takes_the_place_of_an_older_one() throws {
    let hold = Hold()
    let worker = try worker(events: 20_000, hold: hold)
    defer { worker.stop() }
    worker.show(.init(seq: 20_000, from: 19_999))
    #expect(hold.reached.wait(timeout: .now() + 60) == .success)
    worker.show(.init(seq: 3, from: 2))
    hold.letGo.signal()
    let reports = try reports(worker) { if case .state = $0 { true } else { false } }
    for case .state(let state) in reports { #expect(state.seq == 3) }
  }

  @Test func finds_the_writes_of_a_field_forward_and_back() throws {
    let worker = try worker(events: 3000)
    defer { worker.stop() }
    for (pointer, from, isForward, expected) in [
      ("/tens", 15, true, 20), ("/tens", 20, true, 30), ("/tens", 20, false, 10),
      ("/tens", 25, false, 20), ("/tens", 10, false, nil), ("/tens", 3000, true, nil),
      ("/last", 2000, false, 1999), ("/nothing", 5, true, nil),
    ] as [(String, Seq, Bool, Seq?)] {
      worker.find(
        .init(pointer: pointer, from: from, isForward: isForward, limit: isForward ? 3000 : 0))
      let reports = try reports(worker) { if case .change = $0 { true } else { false } }
      guard case .change(let seq, let asked)? = reports.last else { continue }
      #expect(asked == pointer)
      #expect(seq == expected, "\(pointer) from \(from)")
    }
  }

  @Test func a_state_that_cannot_be_had_is_told_and_others_still_are() throws {
    let worker = try worker(events: 5)
    defer { worker.stop() }
    let session = try #require(try store.session(named: SessionName("s"))).id
    try store.append(
      EventBatch(after: 5, [(.mutation, 0, #"{"unheard":{}}"#)]), to: session, expecting: 5,
      schemaVersion: 1)
    worker.show(.init(seq: 6, from: 5))
    let told = try reports(worker) { if case .unreadable = $0 { true } else { false } }
    if case .unreadable(let seq, let reason)? = told.last {
      #expect(seq == 6)
      #expect(reason.contains("event 6 of session s, a mutation, cannot be read"))
    }
    worker.show(.init(seq: 5, from: 4))
    let rest = try reports(worker) { if case .changes = $0 { true } else { false } }
    #expect(rest.contains { if case .state(let state) = $0 { state.seq == 5 } else { false } })
  }
}
