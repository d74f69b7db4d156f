import EventStoreCore
import Refold
import SampleReactors

/// What the runtime itself costs: actions that finish synchronously, and a store that costs nothing.
struct LoopBenchmark: Benchmark {
  static let name = "loop"
  static let summary = "synchronous actions of the counter, the store discards bytes"
  static let operation = "action"

  let variants: [Variant]

  init(count: Int, in folder: TemporaryFolder) async throws {
    // What changes threads each time takes microseconds: a tenth of the operations says the same.
    let few = max(1, count / 10)
    let actions = (0..<CounterLog.period).map { index in
      Sent(
        action: .increase(by: CounterLog.amount(index)),
        payload: Array(CounterLog.line(index).utf8))
    }
    variants = [
      Variant(name: "submit", count: count) { try await Self.submit(actions, count) },
      Variant(name: "decode and submit", count: count) {
        try await Self.decodeAndSubmit(actions.map(\.payload), count)
      },
      Variant(name: "send, awaited", count: few) { try await Self.send(actions, few) },
      Variant(name: "actor call, awaited", count: few) { try await Self.callActor(few) },
      Variant(name: "bare reduce", count: count) { try Self.reduce(count) },
    ]
  }

  /// What a commit of a stream of actions takes: little beside the actions that it holds, and enough
  /// for some to gather.
  private static let pause = Duration.microseconds(200)

  private struct Sent {
    let action: CounterReactor.Action
    let payload: [UInt8]
  }
}

// On the main actor, as the code of an app's screens: nowhere else does a hop cost as much.
@MainActor
extension LoopBenchmark {
  private static func submit(_ actions: [Sent], _ count: Int) async throws -> Sample {
    try await measure(count, pause: pause) { session in
      for index in 0..<count {
        let sent = actions[index % CounterLog.period]
        let hasRoom = session.submit(
          sent.action, payload: sent.payload.span.bytes, reply: .number(index))
        if !hasRoom { session.block(until: .roomForActions) }
      }
    }
  }

  /// What `refold run` does with a line.
  private static func decodeAndSubmit(_ lines: [[UInt8]], _ count: Int) async throws -> Sample {
    let decoder = InputActionDecoder(EventCodec())
    return try await measure(count, pause: pause) { session in
      for index in 0..<count {
        let (action, payload) = try decoder.accept(
          CounterReactor.Action.self, from: lines[index % CounterLog.period])
        let hasRoom = session.submit(action, payload: payload.span.bytes, reply: .number(index))
        if !hasRoom { session.block(until: .roomForActions) }
      }
    }
  }

  /// What an app does: each action encoded, and its commit waited for.
  private static func send(_ actions: [Sent], _ count: Int) async throws -> Sample {
    try await measure(count) { session in
      for index in 0..<count {
        try await session.send(actions[index % CounterLog.period].action)
      }
    }
  }

  /// Hands `send` a session over a store of its own, and waits until all that it sent is committed.
  private static func measure(
    _ count: Int, pause: Duration = .zero,
    _ send: @MainActor (Session<CounterReactor>) async throws -> Void
  ) async throws -> Sample {
    let session = try Session(
      CounterReactor(), named: SessionName("s1"), in: DiscardingEventStore(pause: pause),
      options: SessionOptions())
    let watch = Stopwatch()
    try await send(session)
    session.block(until: .flushed)
    var sample = watch.stop()
    sample.tasks = session.startedTasks
    try require(session.currentState.value, after: count)
    guard session.startedTasks == 0 else {
      throw BenchError.wrongResult("\(session.startedTasks) tasks were started, expected none")
    }
    try await session.close()
    return sample
  }

  private static func callActor(_ count: Int) async throws -> Sample {
    let counter = CounterActor()
    let watch = Stopwatch()
    for index in 0..<count { await counter.increase(by: CounterLog.amount(index)) }
    let sample = watch.stop()
    try require(await counter.value, after: count)
    return sample
  }

  private static func reduce(_ count: Int) throws -> Sample {
    let reactor = CounterReactor()
    var state = reactor.initialState
    let watch = Stopwatch()
    for index in 0..<count {
      reactor.reduce(state: &state, mutation: .add(CounterLog.amount(index)))
    }
    let sample = watch.stop()
    try require(state.value, after: count)
    return sample
  }

  private static func require(_ value: Int, after count: Int) throws {
    let expected = CounterLog.value(after: count)
    guard value == expected else {
      throw BenchError.wrongResult("the counter is \(value), expected \(expected)")
    }
  }
}

private actor CounterActor {
  private(set) var value = 0

  func increase(by amount: Int) { value &+= amount }
}
