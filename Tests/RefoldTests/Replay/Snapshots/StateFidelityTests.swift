import EventStoreCore
import EventStoreTesting
import Synchronization
import Testing

@testable import Refold

@Suite("Only a state that comes back from its JSON as it was", .timeLimit(.minutes(5)))
struct StateFidelityTests {
  private func holds<State: Codable>(_ state: State) throws -> Bool {
    try StateFidelity.holds(state, as: EventCodec().encode(state), EventCodec())
  }

  private struct Plain: Codable {
    enum Kind: Codable {
      case none
      case some(Int)
      case other
    }
    final class Box: Codable { var number = 1 }
    struct Part: Codable { var id: Int }
    var kind = Kind.other
    var box = Box()
    var parts = [Part(id: 1), Part(id: 2)]
    var byName = ["a": Part(id: 1), "b": Part(id: 2), "c": Part(id: 3), "d": Part(id: 4)]
    var set: Set<String> = ["x", "y", "z"]
    var missing: Part?
    var price = 0.1
    var text = "cafe\u{301}"
  }

  @Test func is_the_same_part_by_part() throws {
    #expect(try holds(Plain()))
    for _ in 0..<20 { #expect(try holds(Plain()), "in whatever order its pairs are") }
    #expect(!StateFidelity.areSame(Plain(), Plain(kind: .none)))
    #expect(!StateFidelity.areSame(Plain(), Plain(kind: .some(1))))
    #expect(!StateFidelity.areSame(Plain(kind: .some(2)), Plain(kind: .some(1))))
    #expect(!StateFidelity.areSame(Plain(), Plain(missing: .init(id: 0))))
    #expect(!StateFidelity.areSame(Plain(), Plain(byName: ["a": .init(id: 1)])))
    #expect(!StateFidelity.areSame(Plain(), Plain(text: "cafe")))
    #expect(!StateFidelity.areSame(Plain(), 1))
    let box = Plain.Box()
    box.number = 2
    #expect(!StateFidelity.areSame(Plain(), Plain(box: box)))
  }

  private struct Forgetful: Codable {
    var sum = 0
    var cache = 0
    enum CodingKeys: CodingKey { case sum }
  }

  private struct Rounding: Codable, Equatable {
    var price: Double
    init(price: Double) { self.price = price }
    init(from decoder: any Decoder) throws {
      price = try Double(decoder.singleValueContainer().decode(Int.self))
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(Int(price))
    }
  }

  private final class Ring: Codable {
    var next: Ring?
    enum CodingKeys: CodingKey {}
    init() {}
    init(from decoder: any Decoder) { next = self }
    func encode(to encoder: any Encoder) throws { _ = encoder.container(keyedBy: CodingKeys.self) }
  }

  @Test func is_not_one_that_leaves_something_out() throws {
    #expect(try holds(Forgetful()))
    #expect(try !holds(Forgetful(cache: 1)))
    #expect(try holds(Rounding(price: 2)))
    #expect(try !holds(Rounding(price: 2.5)))
    let ring = Ring()
    ring.next = ring
    #expect(try !holds(ring), "references that go in circles are not followed for ever")
  }

  /// A reactor of numbers whose state and mutation are what a test makes of them.
  private struct Summing<State: Codable & Sendable, Mutation: Codable & Sendable>: Reactor {
    typealias Action = Int
    static var name: String { "summing" }
    let initialState: State
    let made: @Sendable (Int) -> Mutation
    let add: @Sendable (inout State, Mutation) -> Void

    func mutate(action: Int, state: State) -> Effect<Mutation> { .just(made(action)) }
    func reduce(state: inout State, mutation: Mutation) { add(&state, mutation) }
  }

  /// Runs `reactor` for longer than a snapshot takes, and opens its session again.
  private func run<R: Reactor>(_ reactor: R) async throws -> (
    snapshots: [Snapshot], issues: [String], reopened: R.State, altered: [Seq]
  ) where R.Action == Int {
    let store = InMemoryEventStore()
    let issues = Mutex<[String]>([])
    var options = LongLog.options
    options.onIssue = { issue in issues.withLock { $0.append("\(issue)") } }
    for _ in 0..<2 {
      let session = try await Session.open(reactor, named: "s", in: store, options: options)
      for index in 1...1200 {
        if index % 10 > 0 {
          session.enqueue(index)
          continue
        }
        try await session.send(index)
        await session.snapshots.rest()
      }
      try await session.close()
    }
    let session = try await Session.open(reactor, named: "s", in: store)
    let state = session.currentState
    let snapshots = try store.snapshots(of: session.info.id)
    try await session.close()
    let altered = try AlteredSnapshots.seqs(
      of: session.info, in: store, by: reactor, foldID: FoldID.of(reactor) ?? "")
    return (snapshots, issues.withLock { $0 }, state, altered)
  }

  @Test func is_kept_by_a_session() async throws {
    let forgetful = Summing<Forgetful, Int>(
      initialState: Forgetful(), made: { $0 },
      add: { state, number in
        state.cache += 1
        state.sum += state.cache
      })
    let (snapshots, issues, state, altered) = try await run(forgetful)
    #expect(snapshots.isEmpty && issues.isEmpty && altered.isEmpty)
    #expect(state.cache == 2400)
    #expect(state.sum == (1...2400).reduce(0, +))
  }

  @Test func is_kept_where_mutations_come_back_as_they_were() async throws {
    let rounding = Summing<Double, Rounding>(
      initialState: 0, made: { Rounding(price: Double($0) + 0.5) },
      add: { state, number in state += number.price })
    let (snapshots, issues, state, altered) = try await run(rounding)
    #expect(altered.isEmpty && !snapshots.isEmpty, "those that opening makes are of the log")
    #expect(issues.count == 2, "one a session: \(issues)")
    #expect(issues.first?.hasPrefix("the state at event ") == true)
    #expect(issues.first?.contains("is not what the log folds to") == true)
    #expect(state == Double(2 * (1...1200).reduce(0, +)))
  }

  @Test func is_kept_and_one_that_JSON_cannot_write_is_told_on_closing() async throws {
    let endless = Summing<Double, Int>(
      initialState: 1, made: { $0 }, add: { state, _ in state *= 2 })
    let (snapshots, issues, state, altered) = try await run(endless)
    #expect(snapshots.allSatisfy { $0.seq < 2048 } && altered.isEmpty)
    #expect(issues.count == 2 && issues.allSatisfy { $0.hasPrefix("a snapshot was not written") })
    #expect(state == .infinity)
  }

  @Test func is_kept_of_secrets_what_the_log_knows_of_them() async throws {
    struct Login: Codable, Equatable {
      var token: Secret<String>?
      var known = 0
    }
    let vault = Summing<Login, Secret<String>>(
      initialState: Login(), made: { Secret("tok-\($0)") },
      add: { state, token in
        state.token = token
        // Not what replay, which knows no secret, comes to.
        if token.value != nil { state.known += 1 }
      })
    let (snapshots, issues, state, altered) = try await run(vault)
    #expect(issues.isEmpty)
    #expect(snapshots.count >= 2 && altered.isEmpty)
    #expect(snapshots.allSatisfy { !String(decoding: $0.state, as: UTF8.self).contains("tok-") })
    #expect(state.known == 0 && state.token?.value == nil)
  }
}
