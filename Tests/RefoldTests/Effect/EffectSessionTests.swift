import EventStoreCore
import EventStoreTesting
import RefoldTesting
import Synchronization
import Testing

@testable import Refold

/// What the operators come to in the log of a session.
@Suite("Effects of a session")
struct EffectSessionTests {
  typealias Mutation = ProbeReactor.Mutation

  let store = InMemoryEventStore()

  func open(
    _ effects: @escaping @Sendable (String) -> Effect<Mutation>?, named name: String = "s",
    options: SessionOptions = SessionOptions()
  ) async throws -> Session<ProbeReactor> {
    try await Session.open(
      ProbeReactor(effects: effects), named: name, in: store, options: options)
  }

  func kinds(_ name: String = "s") throws -> [String] {
    try log(of: name, in: store).compactMap { $0.split(separator: " ").dropFirst().first }
      .map(String.init)
  }

  @Test func concat_keeps_what_came_before_an_error_and_begins_no_later_part() async throws {
    let began = Mutex(false)
    let session = try await open { _ in
      .concat(
        .text("a"), .task { .init(text: "b") }, .task { throw ProbeError() },
        .deferred {
          began.withLock { $0 = true }
          return .text("c")
        })
    }
    let receipt = try await session.send(.probe("go"))
    guard case .failed = await receipt.finished else {
      Issue.record("the effect did not fail")
      return
    }
    #expect(session.currentState.texts == ["a", "b"])
    #expect(!began.withLock { $0 })
    #expect(try kinds() == ["action", "mutation", "pending", "mutation", "failed"])
  }

  @Test func merge_is_logged_in_the_order_of_arrival() async throws {
    let gates = [Gate(), Gate(), Gate()]
    let session = try await open { _ in
      .merge(
        gates.enumerated().map { index, gate in
          .task {
            await gate.wait()
            return .init(text: "\(index)")
          }
        })
    }
    let receipt = try await session.send(.probe("go"))
    for index in [2, 0, 1] {
      await gates[index].open()
      while session.currentState.texts.last != "\(index)" { await Task.yield() }
    }
    guard case .completed = await receipt.finished else {
      Issue.record("the effect did not complete")
      return
    }
    #expect(session.currentState.texts == ["2", "0", "1"])
  }

  /// Five requests that answer when their gate opens, joined.
  func requests(_ relays: [PublishRelay<String>]) -> Effect<Mutation> {
    .zip(relays.map { $0.effect.prefix(1) }) { Mutation(text: $0.joined()) }
  }

  @Test func zip_lists_five_requests_as_declared_whatever_the_order_of_arrival() async throws {
    let relays = (0..<5).map { _ in PublishRelay<String>() }
    let session = try await open { _ in requests(relays) }
    for order in permutations(of: [0, 1, 2, 3, 4]) {
      let receipt = try await session.send(.probe("go"))
      for index in order { relays[index].accept("\(index)") }
      guard case .completed = await receipt.finished else {
        Issue.record("the effect did not complete")
        return
      }
    }
    #expect(session.currentState.texts == Array(repeating: "01234", count: 120))
    #expect(session.startedTasks == 0)
  }

  func permutations(of elements: [Int]) -> [[Int]] {
    if elements.count <= 1 { return [elements] }
    return elements.flatMap { first in
      permutations(of: elements.filter { $0 != first }).map { [first] + $0 }
    }
  }

  @Test func zip_with_one_failure_is_one_failure_and_four_cancelled() async throws {
    let ends = Mutex<[String]>([])
    let clock = TestClock()
    let session = try await open { _ in
      let parts = (0..<5).map { index in
        Effect<String>.task {
          try await clock.sleep(for: .seconds(index == 2 ? 1 : 9))
          throw ProbeError()
        }
        .do(
          onError: { _ in ends.withLock { $0.append("failed") } },
          onCancel: { ends.withLock { $0.append("cancelled") } })
      }
      return .zip(parts) { Mutation(text: $0.joined()) }
    }
    let receipt = try await session.send(.probe("go"))
    await clock.advance(by: .seconds(1), settling: session)
    guard case .failed = await receipt.finished else {
      Issue.record("the effect did not fail")
      return
    }
    #expect(
      ends.withLock { $0.sorted() } == [
        "cancelled", "cancelled", "cancelled", "cancelled", "failed",
      ])
    #expect(try kinds() == ["action", "pending", "failed"])
    try clock.checkSuspension()
  }

  @Test func ids_are_typed_and_belong_to_one_session() async throws {
    let effects: @Sendable (String) -> Effect<Mutation>? = { name in
      switch name {
      case "wait":
        .merge(
          Effect<Mutation>.never.cancellable(id: "1"), Effect<Mutation>.never.cancellable(id: 1))
      case "text": .cancel(id: "1")
      default: .cancel(id: 1)
      }
    }
    let first = try await open(effects, named: "a")
    let second = try await open(effects, named: "b")
    let waiting = try await first.send(.probe("wait"))
    _ = try await second.send(.probe("wait"))
    _ = try await first.send(.probe("text"))
    #expect(try kinds("a") == ["action", "pending", "action"])
    _ = try await first.send(.probe("number"))
    guard case .cancelled = await waiting.finished else {
      Issue.record("the effect was not cancelled")
      return
    }
    #expect(try kinds("a") == ["action", "pending", "action", "action", "cancelled"])
    #expect(try kinds("b") == ["action", "pending"])
    try await second.close()
  }

  @Test func a_value_in_flight_does_not_outlive_its_cancellation() async throws {
    let relay = PublishRelay<String>()
    let session = try await open { name in
      name == "stop"
        ? .deferred {
          // On its way before the cancellation is durable, and behind it in the queue.
          relay.accept("late")
          return .cancel(id: "x")
        } : relay.effect.map { .init(text: $0) }.cancellable(id: "x")
    }
    let going = try await session.send(.probe("go"))
    relay.accept("early")
    _ = try await session.send(.probe("stop"))
    relay.accept("later")
    guard case .cancelled = await going.finished else {
      Issue.record("the effect was not cancelled")
      return
    }
    try await session.close()
    #expect(session.currentState.texts == ["early"])
  }

  @Test func a_part_of_a_concat_is_cancelled_before_it_begins() async throws {
    let relay = PublishRelay<String>()
    let session = try await open { name in
      name == "stop"
        ? .cancel(id: "x")
        : .concat(
          relay.effect.prefix(1).map { .init(text: $0) },
          Effect.text("never").cancellable(id: "x"), .text("last"))
    }
    let going = try await session.send(.probe("go"))
    _ = try await session.send(.probe("stop"))
    relay.accept("first")
    guard case .cancelled = await going.finished else {
      Issue.record("the effect was not cancelled")
      return
    }
    #expect(session.currentState.texts == ["first", "last"])
  }

  @Test func take_until_ends_its_source() async throws {
    let (source, stop) = (PublishRelay<String>(), PublishRelay<Int>())
    let session = try await open { _ in
      source.effect.map { .init(text: $0) }.take(until: stop.effect)
    }
    let receipt = try await session.send(.probe("go"))
    source.accept("a")
    stop.accept(1)
    source.accept("b")
    guard case .completed = await receipt.finished else {
      Issue.record("the effect did not complete")
      return
    }
    #expect(session.currentState.texts == ["a"])
  }

  @Test func a_value_sent_after_the_end_is_dropped_and_reported() async throws {
    let issues = Mutex<[String]>([])
    let kept = Mutex<Send<Mutation>?>(nil)
    var options = SessionOptions()
    options.onIssue = { issue in issues.withLock { $0.append("\(issue)") } }
    let session = try await open(
      { _ in .run { send in kept.withLock { $0 = send } } }, options: options)
    _ = try await session.send(.probe("go")).finished
    let send = kept.withLock { $0 }
    await send?(.init(text: "late"))
    try await session.close()
    #expect(session.currentState.texts.isEmpty)
    #expect(
      issues.withLock { $0 } == [
        "a value was sent after the effect of action 1 had ended, and was dropped"
      ])
  }

  @Test func synchronous_effects_create_no_task() async throws {
    let session = try await open { name in
      Effect.concat(
        .text(name), .merge(.text("b"), .zip(.just("c"), .just("d")) { .init(text: $0 + $1) })
      )
      .flatMap { .of($0, $0) }.retry(3).prefix(5).take(until: Effect<Int>.never)
      .timeout(.seconds(1)).debounce(.seconds(1))
    }
    for _ in 0..<10 { try await session.send(.probe("a")) }
    #expect(session.currentState.texts == Array(repeating: "cd", count: 10))
    #expect(session.startedTasks == 0)
  }

  @Test func do_is_told_once_of_a_step_that_is_decided_twice() async throws {
    let told = Mutex<[String]>([])
    let decided = Mutex(0)
    let session = try await open { name in
      Effect.deferred {
        decided.withLock { $0 += 1 }
        return .text(name)
      }
      .do(onNext: { mutation in told.withLock { $0.append(mutation.text) } })
    }
    let other = try await open { _ in nil }
    try await other.send(.probe("other"))
    // The first session has not seen it, so its first decision is discarded.
    _ = try await session.send(.probe("mine")).finished
    #expect(decided.withLock { $0 } == 2)
    #expect(told.withLock { $0 } == ["mine"])
  }

  @Test(arguments: 1...5) func a_search_never_shows_an_older_keyword(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let delays = (0..<1000).map { _ in Duration.milliseconds(Int.random(in: 1...80, using: &random))
    }
    let gaps = (0..<1000).map { _ in Duration.milliseconds(Int.random(in: 0...40, using: &random)) }
    let clock = TestClock()
    let keywords = PublishRelay<Int>()
    let session = try await open { _ in
      keywords.effect.flatMapLatest { keyword in
        .task {
          // The service answers whether the caller still wants to know or not.
          try? await clock.sleep(for: delays[keyword])
          return .init(text: "\(keyword)")
        }
      }
    }
    try await session.send(.probe("search"))
    var typed = -1
    for keyword in delays.indices {
      keywords.accept(keyword)
      typed = keyword
      await clock.advance(by: gaps[keyword], settling: session)
      let shown = session.currentState.texts.last.flatMap { Int($0) } ?? 0
      #expect(shown <= typed)
    }
    await clock.run(settling: session)
    let shown = session.currentState.texts.compactMap { Int($0) }
    #expect(shown == shown.sorted() && Set(shown).count == shown.count)
    #expect(shown.last == 999)
    #expect(shown == answered(delays, gaps))
    try await session.close()
  }

  /// The keywords whose answer came before the next keyword.
  func answered(_ delays: [Duration], _ gaps: [Duration]) -> [Int] {
    delays.indices.filter { $0 == delays.count - 1 || delays[$0] <= gaps[$0] }
  }
}
