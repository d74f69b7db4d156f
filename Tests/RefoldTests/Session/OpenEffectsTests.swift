import EventStoreCore
import EventStoreTesting
import Refold
import Synchronization
import Testing

@Suite("Open effects")
struct OpenEffectsTests {
  /// A store with a session in which `owner` runs the effect of action 1.
  private func store(
    _ owner: UInt64
  ) throws -> (InMemoryEventStore, SessionInfo) {
    let store = InMemoryEventStore()
    let id = try store.createSession("s")
    try store.append(
      EventBatch(
        after: .zero, [(.action, 0, "\"go\""), (.pending, 1, "{\"owner\":\(owner)}")]),
      to: id, expecting: .zero, schemaVersion: 1)
    return (store, try #require(try store.sessions().first))
  }

  @Test func one_that_ends_while_it_is_looked_at_is_not_interrupted() throws {
    let token = Mutex<(any OwnerToken)?>(nil)
    let (store, session) = try store(0)
    let owner = try store.claimOwnership()
    try store.append(
      EventBatch(
        after: Seq(2), [(.action, 0, "\"go\""), (.pending, 3, "{\"owner\":\(owner.owner)}")]),
      to: session.id, expecting: Seq(2), schemaVersion: 1)
    token.withLock { $0 = owner }
    // After the open effects were read, and before their owners are asked for.
    let observed = FaultyEventStore(store) { call in
      guard call.operation == .read, call.number == 2 else { return nil }
      #expect(throws: Never.self) {
        try store.append(
          EventBatch(after: Seq(4), [(.completed, 3, "{}")]), to: session.id,
          expecting: Seq(4), schemaVersion: 1)
      }
      token.withLock { $0 = nil }
      return nil
    }
    let open = try withExtendedLifetime(token) { try OpenEffects.of(session, in: observed) }
    #expect(open.map(\.cause) == [Seq(1)])
    #expect(open.map(\.isRunning) == [false])
  }

  @Test func one_that_another_takes_over_meanwhile_is_running() throws {
    let (store, session) = try store(5_000_000_000)
    let owner = try store.claimOwnership()
    let observed = FaultyEventStore(store) { call in
      guard call.operation == .read, call.number == 2 else { return nil }
      #expect(throws: Never.self) {
        try store.append(
          EventBatch(after: Seq(2), [(.pending, 1, "{\"owner\":\(owner.owner)}")]),
          to: session.id, expecting: Seq(2), schemaVersion: 1)
      }
      return nil
    }
    let open = try OpenEffects.of(session, in: observed)
    #expect(open.map(\.pending) == [Seq(3)])
    #expect(open.map(\.isRunning) == [true])
  }
}
