import EventStoreCore
import EventStoreTesting
import Synchronization
import Testing

/// What every store does with a long log is in the contract; here is what only a store that fails or
/// counts can show.
@Suite("Pages that are read ahead")
struct PagesAheadTests {
  /// A log of eight pages behind a store that notes its reads, and fails at those in `failing`.
  private func longLog(
    failing: Set<Int> = []
  ) throws -> (store: FaultyEventStore, session: SessionID, reads: Count) {
    let memory = InMemoryEventStore()
    let session = try memory.createSession("s1")
    try memory.append(EventBatch(actions: 4 * PageLimits.events, after: .zero), to: session)
    let reads = Count()
    let store = FaultyEventStore(memory) { call in
      guard call.operation == .read else { return nil }
      reads.value.withLock { $0 = call.number }
      return failing.contains(call.number) ? .before(.diskFull(path: "a page")) : nil
    }
    return (store, session, reads)
  }

  private final class Count: Sendable {
    let value = Mutex(0)
    var now: Int { value.withLock { $0 } }
  }

  @Test("what comes before a page that cannot be read is visited", arguments: [1, 2, 3, 8, 9])
  func errors(failing: Int) throws {
    let (store, session, _) = try longLog(failing: [failing])
    var visited = 0
    #expect(throws: EventStoreError.diskFull(path: "a page")) {
      try store.forEachEvent(of: session) { _, _ in visited += 1 }
    }
    #expect(visited == (failing - 1) * PageLimits.events)
  }

  @Test("nothing is read after a visit was broken off")
  func breaking_off() throws {
    for end in [1, 1025, 3000] as [UInt32] {
      let (store, session, reads) = try longLog()
      #expect(throws: EventStoreError.storeFull) {
        try store.forEachEvent(of: session) { header, _ in
          if header.seq == Seq(end) { throw EventStoreError.storeFull }
        }
      }
      let atReturn = reads.now
      // A read that is still to come would come before this one is over.
      for _ in 0..<100 { _ = try store.tail(of: session) }
      #expect(reads.now == atReturn + 100)
    }
  }

  @Test("no more than a few pages wait for a slow visitor")
  func bounded() throws {
    let (store, session, reads) = try longLog()
    var (page, most) = (0, 0)
    try store.forEachEvent(of: session) { header, _ in
      guard header.seq.rawValue % UInt32(PageLimits.events) == 1 else { return }
      page += 1
      // Time for the reader to run as far ahead as it may.
      var rest = 0
      while rest < 2000 { rest += reads.now > 0 ? 1 : 0 }
      most = max(most, reads.now - page)
    }
    #expect(page == 8)
    #expect(most <= 5)
  }

  @Test("visits go on beside each other, and inside each other")
  func concurrent() async throws {
    let (store, session, _) = try longLog()
    await withTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          var count = 0
          try? store.forEachEvent(of: session) { _, _ in count += 1 }
          return count
        }
      }
      for await count in group { #expect(count == 8 * PageLimits.events) }
    }
    var inner = 0
    try store.forEachEvent(of: session) { header, _ in
      guard header.seq.rawValue % 2000 == 0 else { return }
      try store.forEachEvent(of: session) { _, _ in inner += 1 }
    }
    #expect(inner == 4 * 8 * PageLimits.events)
  }
}
