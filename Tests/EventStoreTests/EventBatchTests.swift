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
    let payload = Array("{\"a\":1}".utf8)
    batch.append(header(1), payload: payload)
    payload.withUnsafeBytes { batch.append(header(2), payload: $0) }
    batch.append(header(3), payload: payload.lazy.map { $0 })
    batch.append(header(4), payload: payload, delivery: Delivery("cmd-4"))
    batch.append(header(5), payload: [])
    let expected = (1...5).map { seq in
      Event(
        header: header(seq), payload: seq == 5 ? [] : payload,
        delivery: seq == 4 ? Delivery("cmd-4") : nil)
    }
    #expect(batch.events == expected)
    #expect(batch.byteCount == 4 * payload.count)
    #expect(batch.slice(3..<5).events == Array(expected[3...]))
  }
}
