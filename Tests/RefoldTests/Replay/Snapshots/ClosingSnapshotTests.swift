import EventStoreCore
import EventStoreTesting
import Synchronization
import Testing

@testable import Refold

@Suite("The snapshot of a session that closes", .timeLimit(.minutes(5)))
struct ClosingSnapshotTests {
  let store = InMemoryEventStore()

  private func snapshots(_ info: SessionInfo) throws -> [Snapshot] {
    try store.snapshots(of: info.id)
  }

  @Test func is_its_durable_state_under_the_id_of_this_code() async throws {
    let info = try await store.record { session in
      try await session.send(.add(2))
      try await session.send(.load("never mind"))
      await session.finishEffects()
    }
    let snapshot = try #require(try snapshots(info).first)
    let end = try store.tail(of: info.id)
    #expect(snapshot.seq == end.version)
    #expect(snapshot.logDigest == end.digest)
    #expect(snapshot.foldID == FoldID.of(TrialReactor()))
    let fold = try TimeMachine(TrialReactor(), info, in: store).fold(through: end.version)
    #expect(try snapshot.state == EventCodec().encode(fold.state))
  }

  @Test func is_one_where_nothing_happened_since() async throws {
    let info = try await store.record { _ in }
    #expect(try snapshots(info).isEmpty, "of an empty log")
    for _ in 0..<2 { _ = try await store.record { _ in } }
    _ = try await store.record { try await $0.send(.add(2)) }
    for _ in 0..<2 { _ = try await store.record { _ in } }
    #expect(try snapshots(info).map(\.seq) == [2])
  }

  @Test func never_takes_more_than_the_events_that_lead_to_it() async throws {
    let text = String(repeating: "x", count: 2000)
    let load = TrialReactor(load: { .just(.loaded($0)) })
    let info = try await store.record(load) { try await $0.send(.load(text)) }
    for _ in 0..<100 { _ = try await store.record { try await $0.send(.add(1)) } }
    let sizes = try snapshots(info).map(\.state.count).reduce(0, +)
    #expect(try Int64(sizes) <= store.tail(of: info.id).payloadBytes + 3000)
    #expect(try (2...4).contains(snapshots(info).count), "now and then there is one")
  }

  @Test func of_a_large_state_is_left_out() async throws {
    let text = String(repeating: "x", count: SnapshotPolicy.mostBytes)
    let load = TrialReactor(load: { .just(.loaded($0)) })
    let info = try await store.record(load) { try await $0.send(.load(text)) }
    #expect(try snapshots(info).isEmpty)
  }

  @Test func is_left_out_where_code_cannot_be_told_apart() async throws {
    var options = SessionOptions()
    options.foldID = { _ in nil }
    let info = try await store.record(options: options) { try await $0.send(.add(1)) }
    #expect(try snapshots(info).isEmpty)
  }

  @Test func that_fails_is_told_and_keeps_nothing_from_closing() async throws {
    let faulty = FaultyEventStore(store) { call in
      call.operation == .save ? .before(.diskFull(path: "x")) : nil
    }
    let issues = Mutex<[String]>([])
    var options = SessionOptions()
    options.onIssue = { issue in issues.withLock { $0.append("\(issue)") } }
    let session = try await Session.open(
      TrialReactor(), named: "s", in: faulty, options: options)
    try await session.send(.add(1))
    try await session.close()
    #expect(issues.withLock { $0 }.count == 1)
    #expect(issues.withLock { $0 }.first?.hasPrefix("a snapshot was not written") == true)
  }

  @Test func has_no_secret_in_the_clear() async throws {
    struct Vault: Reactor {
      typealias Action = Secret<String>
      typealias Mutation = Secret<String>
      struct State: Codable, Sendable { var token: Secret<String>? }
      let initialState = State()
      func mutate(action: Action, state: State) -> Effect<Mutation> { .just(action) }
      func reduce(state: inout State, mutation: Mutation) { state.token = mutation }
    }
    let session = try await Session.open(Vault(), named: "v", in: store)
    try await session.send(Secret("tok-never"))
    try await session.close()
    let snapshot = try #require(try store.snapshots(of: session.info.id).first)
    #expect(!String(decoding: snapshot.state, as: UTF8.self).contains("tok-never"))
    let check = try LogCheck.check(Vault(), session.info, in: store)
    #expect(check.first == nil)
    #expect(check.counts.snapshots == 1)
  }
}
