import EventStoreCore
import EventStoreTesting
import Synchronization
import Testing

@testable import Refold

@Suite("Effects that are open")
struct OpenEffectsTests {
  private let store = InMemoryEventStore()
  private let session: SessionInfo

  init() throws {
    try store.createSession("s")
    session = try #require(try store.session(named: SessionName("s")))
  }

  private func pend(_ owner: UInt64, cause: UInt32) throws {
    try store.append(to: session.id, [(.pending, cause, "{\"owner\":\(owner)}")])
  }

  private func states(in store: any EventStore) throws -> [Seq: Bool] {
    Dictionary(
      uniqueKeysWithValues: try OpenEffects.of(session, in: store).map { ($0.cause, $0.isRunning) })
  }

  @Test func run_while_their_owner_is_there_and_are_interrupted_after_it() throws {
    try store.append(to: session.id, [(.action, 0, "{}"), (.action, 0, "{}")])
    let token = try store.claimOwnership()
    try pend(token.owner, cause: 1)
    try pend(token.owner + 1, cause: 2)
    #expect(try states(in: store) == [Seq(1): true, Seq(2): false])
  }

  /// As a process does that ends just when another one lists the sessions.
  @Test func are_not_called_interrupted_when_their_owner_ended_them_and_went() throws {
    try store.append(to: session.id, [(.action, 0, "{}")])
    let token = Mutex<(any OwnerToken)?>(try store.claimOwnership())
    try pend(try #require(token.withLock { $0?.owner }), cause: 1)
    let (store, session) = (store, session)
    let observed = FaultyEventStore(store) { call in
      // The first call reads the log, the second looks for the owner.
      guard call.operation == .read, call.number == 2 else { return nil }
      token.withLock { $0 = nil }
      _ = try? store.append(to: session.id, [(.completed, 1, "{}")])
      return nil
    }
    #expect(try states(in: observed) == [:])
    #expect(try store.tail(of: session.id).version == Seq(3))
  }

  @Test func are_not_called_interrupted_when_another_took_them_over() throws {
    try store.append(to: session.id, [(.action, 0, "{}")])
    try pend(1, cause: 1)
    let (store, session) = (store, session)
    let other = try store.claimOwnership()
    let observed = FaultyEventStore(store) { call in
      guard call.operation == .read, call.number == 2 else { return nil }
      _ = try? store.append(to: session.id, [(.pending, 1, "{\"owner\":\(other.owner)}")])
      return nil
    }
    #expect(try states(in: observed) == [Seq(1): true])
  }
}
