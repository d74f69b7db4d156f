import EventStoreCore
import EventStoreTesting
import RefoldTesting
import Synchronization
import Testing

@testable import Refold

/// Threads, effects of every length and cancellations at once: whatever order comes out, the log
/// must add up to the live state, with every cause right and every pending effect ended.
@Suite("Under stress")
struct StressTests {
  static let threads = 8
  static let actionsPerThread = 12_500

  @Test(arguments: [false, true])
  func the_log_adds_up_to_the_live_state(_ transformsMutations: Bool) async throws {
    let seed = UInt64.random(in: .min ... .max)
    let store = InMemoryEventStore()
    let reactor = StressReactor(transformsMutations: transformsMutations)
    let session = try await Session.open(reactor, named: "s", in: store)
    let actions = transformsMutations ? Self.actionsPerThread / 10 : Self.actionsPerThread
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<Self.threads {
        group.addTask {
          var random = SeededGenerator(seed: seed &+ UInt64(thread))
          for _ in 0..<actions {
            session.enqueue(StressReactor.Action(random.next()))
            if random.chance(0.01) { await session.room() }
          }
        }
      }
    }
    await session.finishEffects()
    try await session.close()

    var audit = LogAudit()
    try store.forEachEvent(of: session.info.id) { header, payload in audit.take(header, payload) }
    #expect(audit.problems.isEmpty, "seed \(seed): \(audit.problems.prefix(5))")
    #expect(audit.actions == Self.threads * actions, "seed \(seed)")
    #expect(audit.open.isEmpty, "seed \(seed): effects without an end")
    let last = try store.tail(of: session.info.id).version
    let folded = try TimeMachine(reactor, session: "s", in: store).state(at: last)
    #expect(folded == session.currentState, "seed \(seed)")
    #expect(session.currentState.sum != 0)
  }
}

/// Checks the rules of a log, event by event.
private struct LogAudit {
  var problems: [String] = []
  var actions = 0
  var open: Set<Seq> = []
  private var isAction: Set<Seq> = []
  private var next = Seq(1)

  mutating func take(_ header: EventHeader, _ payload: RawSpan) {
    if header.seq != next { problems.append("\(header.seq) follows \(next.previous)") }
    next = header.seq.advanced(by: 1) ?? .max
    if header.cause != .zero, !isAction.contains(header.cause) {
      problems.append("\(header.seq) has the cause \(header.cause), which is no action")
    }
    switch header.kind {
    case .action:
      actions += 1
      isAction.insert(header.seq)
    case .mutation: if header.cause == .zero { problems.append("\(header.seq) has no cause") }
    case .pending:
      if !open.insert(header.cause).inserted { problems.append("\(header.seq) is pending twice") }
    case .completed, .cancelled:
      if open.remove(header.cause) == nil { problems.append("\(header.seq) ends nothing") }
    case .failed: open.remove(header.cause)
    }
  }
}

private struct StressReactor: Reactor {
  enum Action: Codable, Sendable {
    case add(Int)
    case later(Int)
    case cancellable(Int, id: Int)
    case cancel(id: Int)
    case fail(atOnce: Bool)

    init(_ random: UInt64) {
      let value = Int(random % 1000) + 1
      switch random >> 32 % 100 {
      case 0..<70: self = .add(value)
      case 70..<80: self = .later(value)
      case 80..<90: self = .cancellable(value, id: value % 10)
      case 90..<96: self = .cancel(id: value % 10)
      default: self = .fail(atOnce: value % 2 == 0)
      }
    }
  }

  struct Mutation: Codable, Sendable {
    var amount: Int
  }

  struct State: Codable, Equatable, Sendable {
    var sum = 0
    var count = 0
  }

  let transformsMutations: Bool
  let initialState = State()
  static var name: String { "stress" }

  func mutate(action: Action, state: State) -> Effect<Mutation> {
    switch action {
    case .add(let amount): .just(Mutation(amount: amount))
    case .later(let amount): .concat(.just(Mutation(amount: 1)), Self.later(amount))
    case .cancellable(let amount, let id):
      Self.later(amount).cancellable(id: id, cancelInFlight: amount % 3 == 0)
    case .cancel(let id): .cancel(id: id)
    case .fail(let atOnce):
      atOnce ? .fail(ProbeError()) : .task { throw ProbeError() }
    }
  }

  /// As many mutations as `amount` says, with turns for others in between.
  private static func later(_ amount: Int) -> Effect<Mutation> {
    .run { send in
      for step in 0..<amount % 4 {
        for _ in 0..<amount % 7 { await Task.yield() }
        await send(Mutation(amount: step))
      }
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    state.sum &+= mutation.amount
    state.count += 1
  }

  func transform(mutation: Effect<Mutation>) -> Effect<Mutation> {
    transformsMutations ? mutation.map { Mutation(amount: $0.amount &* 2) } : mutation
  }
}
