import EventStoreCore
import EventStoreTesting
import RefoldTesting
import Synchronization
import Testing

@testable import Refold

/// What was decided and has to be decided again, piece by piece in one thread.
@Suite("What is decided again", .timeLimit(.minutes(5)))
struct DecidedAgainTests {
  private let disk = InMemoryEventStore()
  private let executor = SimulatedExecutor()

  private func open(
    _ reactor: ProbeReactor, in store: (any EventStore)? = nil
  ) throws -> Session<ProbeReactor> {
    var options = SessionOptions()
    options.execution = executor.execution
    return try Session(reactor, named: SessionName("s"), in: store ?? disk, options: options)
  }

  private func send(
    _ name: String, id: String? = nil, to session: Session<ProbeReactor>
  ) throws {
    let action = ProbeReactor.Action.probe(name)
    let payload = try EventCodec().encode(action)
    let delivery = try id.map { try Delivery(id: $0, action: payload) }
    session.submit(action, payload: payload, delivery: delivery) { _ in }
  }

  /// Does everything that waits.
  private func runAll() {
    var random = SeededGenerator(seed: 1)
    while let work = executor.next(&random) { work() }
  }

  /// Seq, kind and cause of each event, and of a mutation its text.
  private func lines() throws -> [String] {
    try log(of: "s", in: disk).map { line in
      let words = line.split(separator: " ", maxSplits: 3)
      let text = words[1] == "mutation" ? words[3].split(separator: "\"")[3] : ""
      return (words.prefix(3) + [text]).filter { !$0.isEmpty }.joined(separator: " ")
    }
  }

  @Test(arguments: [false, true])
  func is_let_go_of_where_its_commit_fails(_ lockstep: Bool) throws {
    let fails = Mutex(false)
    let store = FaultyEventStore(disk) { call in
      let failsNow = call.operation == .transaction && fails.withLock { $0 }
      return failsNow ? .after(.diskFull(path: "a disk")) : nil
    }
    let reactor = ProbeReactor(
      effects: { $0 == "long" ? .never : nil }, outside: lockstep ? .never : nil)
    weak var released: Session<ProbeReactor>?
    do {
      let session = try open(reactor, in: store)
      released = session
      let other = try open(reactor)
      try send("other", to: other)
      runAll()
      fails.withLock { $0 = true }
      try send("long", to: session)
      runAll()
      for session in [session, other] {
        Task.detached(executorPreference: executor) { try? await session.close() }
      }
      runAll()
    }
    #expect(released == nil, "a session that failed stays in memory, and holds its owner's lock")
  }

  @Test func keeps_its_own_cause_where_a_repeated_delivery_made_room() throws {
    let session = try open(ProbeReactor(transformAction: { $0.map { $0 } }))
    try send("a", id: "1", to: session)
    runAll()
    for (name, id) in [("a", "1"), ("b", nil), ("c", nil)] {
      try send(name, id: id, to: session)
    }
    runAll()
    for name in ["d", "e", "f"] { try send(name, to: session) }
    runAll()
    let expected = ["a", "b", "c", "d", "e", "f"].enumerated().flatMap { index, name in
      ["\(2 * index + 1) action 0", "\(2 * index + 2) mutation \(2 * index + 1) \(name)"]
    }
    let lines = try lines()
    #expect(lines == expected)
  }

  @Test func keeps_its_cause_where_a_transform_gave_it_later() throws {
    let clock = TestClock()
    let session = try open(
      ProbeReactor(transformAction: { $0.debounce(.seconds(1), clock: clock) }))
    let other = try open(ProbeReactor())
    // Decided, and given by the transform, before any of it is durable.
    try send("held", to: session)
    var random = SeededGenerator(seed: 1)
    while let work = executor.next(tasksOnly: true, &random) { work() }
    #expect(clock.wakeNext())
    while let work = executor.next(tasksOnly: true, &random) { work() }
    try other.store.append(
      to: other.info.id,
      [(.action, 0, "{\"probe\":{\"_0\":\"other\"}}"), (.mutation, 1, "{\"text\":\"other\"}")])
    runAll()
    #expect(
      try lines() == ["1 action 0", "2 mutation 1 other", "3 action 0", "4 mutation 3 held"])
  }

  @Test func is_not_executed_where_a_transform_gives_a_repeated_delivery_later() throws {
    let clock = TestClock()
    let session = try open(
      ProbeReactor(transformAction: { $0.debounce(.seconds(1), clock: clock) }))
    for _ in 0..<2 {
      try send("once", id: "1", to: session)
      runAll()
      while clock.wakeNext() { runAll() }
    }
    #expect(try lines() == ["1 action 0", "2 mutation 1 once"])
  }
}

@Suite("Actions that a transform holds")
struct HeldActionsTests {
  @Test func are_found_where_they_have_moved_to() {
    var held = HeldActions()
    let (first, second) = (held.tag(for: 5), held.tag(for: 7))
    held.place(first, at: 3)
    held.place(second, at: 5)
    #expect([first, second].map(held.seq) == [3, 5])
    // Its seq was the tag of another one.
    let third = held.tag(for: 7)
    #expect(third != second)
    #expect([first, second, third].map(held.seq) == [3, 5, 7])
    held.drop(third)
    #expect(held.seq(of: third) == nil)
    #expect(held.seq(of: .zero) == .zero)
  }
}
