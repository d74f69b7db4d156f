import Dispatch
import EventStoreCore
import EventStoreTesting
import Synchronization
import Testing

@testable import Refold

@Suite struct SubmitTests {
  private let store = InMemoryEventStore()
  private let payload = Array(#"{"probe":{"_0":"a"}}"#.utf8)

  @Test func who_sends_under_a_number_is_told_in_order_where_each_action_came_to_lie() async throws
  {
    let told = Mutex<[String]>([])
    var options = SessionOptions()
    options.actionsPerCommit = 3
    options.onAcknowledged = { acknowledged in
      told.withLock { told in
        told += acknowledged.map { "\($0.number): \($0.receipt.seq) \($0.receipt.version)" }
      }
    }
    let session = try await Session.open(ProbeReactor(), named: "s", in: store, options: options)
    for number in 1...20 {
      session.submit(.probe("a"), payload: payload.span.bytes, reply: .number(number))
    }
    try await session.close()
    #expect(told.withLock { $0 } == (1...20).map { "\($0): \($0 * 2 - 1) \($0 * 2)" })
  }

  @Test func who_sends_under_a_number_is_told_of_a_refusal() async throws {
    let told = Mutex<[String]>([])
    var options = SessionOptions()
    options.onRefused = { number, error in told.withLock { $0.append("\(number): \(error)") } }
    let session = try await Session.open(ProbeReactor(), named: "s", in: store, options: options)
    try await session.close()
    session.submit(.probe("a"), payload: payload.span.bytes, reply: .number(7))
    #expect(
      told.withLock { $0 } == ["7: session s is closed. Open it again to send more."])
  }

  @Test func there_is_room_for_two_commits_while_the_store_is_busy() async throws {
    let letGo = DispatchSemaphore(value: 0)
    let busy = FaultyEventStore(store) { call in
      if call.operation == .transaction, call.number == 2 { letGo.wait() }
      return nil
    }
    let session = try await Session.open(ProbeReactor(), named: "s", in: busy)
    var count = 1
    while session.submit(.probe("a"), payload: payload.span.bytes, reply: .nobody) { count += 1 }
    #expect(count == 2 * CommitLimits.events)
    letGo.signal()
    try await session.close()
    #expect(session.currentState.texts.count == count)
  }
}
