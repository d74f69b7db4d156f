import EventStoreCore
import EventStoreTesting
import Testing

@Suite("A batch of events")
struct EventBatchTests {
  private func header(_ seq: UInt32) -> EventHeader {
    EventHeader(
      seq: Seq(seq), kind: .action, cause: .zero, recordedAt: Timestamp(microseconds: 1))
  }

  @Test("is the same whichever way a payload comes")
  func ways() {
    var batch = EventBatch()
    batch.reserveCapacity(events: 4, bytes: 16)
    let payload = Array("{\"a\":1}".utf8)
    batch.append(header(1), payload: payload)
    payload.withUnsafeBytes { batch.append(header(2), payload: $0) }
    batch.append(header(3), payload: payload.lazy.map { $0 })
    batch.append(header(4), delivery: Delivery("cmd-4")) { $0 += payload }
    batch.append(header(5)) { _ in }
    let expected = (1...5).map { seq in
      Event(
        header: header(seq), payload: seq == 5 ? [] : payload,
        delivery: seq == 4 ? Delivery("cmd-4") : nil)
    }
    #expect(batch.events == expected)
    #expect(batch.byteCount == 4 * payload.count)
    #expect(batch.slice(3..<5).events == Array(expected[3...]))
  }

  @Test("adds nothing where a payload could not be written")
  func failing() {
    var batch = EventBatch()
    batch.append(header(1), payload: [1, 2])
    #expect(throws: EventStoreError.closed) {
      try batch.append(header(2)) { bytes in
        bytes += [3, 4, 5]
        throw EventStoreError.closed
      }
    }
    batch.append(header(2), payload: [6])
    #expect(batch.events.map(\.payload) == [[1, 2], [6]])
  }
}
