import EventStoreCore
import EventStoreTesting
import JSONTree
import Refold
import Testing

@Suite struct TruthTests {
  private let store = InMemoryEventStore()

  private func timeline(_ texts: [String]) throws -> Timeline<ProbeReactor> {
    let info = try store.transaction {
      try $0.createSession(
        named: SessionName("s"), reactor: ProbeReactor.name, at: Timestamp(microseconds: 0))
    }
    var batch = EventBatch()
    for (place, text) in texts.enumerated() {
      let header = EventHeader(
        seq: Seq(UInt32(place + 1)), kind: .mutation, cause: .zero,
        recordedAt: Timestamp(microseconds: 0))
      batch.append(header, payload: try EventCodec().encode(ProbeReactor.Mutation(text: text)))
    }
    try store.append(batch, to: info.id, expecting: .zero, schemaVersion: 1)
    return try Timeline(ProbeReactor(), info, in: store)
  }

  private func changes(
    _ predicate: String, _ timeline: Timeline<ProbeReactor>, in positions: ClosedRange<Seq>
  ) throws -> [String] {
    var changes: [String] = []
    try timeline.forEachTruth(of: JSONPredicate(predicate), in: positions) { seq, holds in
      changes.append("\(holds ? "+" : "-")\(seq)")
      return false
    }
    return changes
  }

  @Test func every_position_is_looked_at_and_the_first_one_counts() throws {
    let timeline = try timeline(["a", "b", "a", "b", "b"])
    #expect(try changes("/texts/0 exists", timeline, in: 0...5) == ["+1"])
    #expect(try changes("not /texts/0 exists", timeline, in: 0...5) == ["+0", "-1"])
    #expect(
      try changes("/texts/2 == \"a\" and not /texts/4 exists", timeline, in: 0...5) == ["+3", "-5"])
    #expect(try changes("/texts/2 exists", timeline, in: 4...5) == ["+4"])
    #expect(try changes("/texts/2 exists", timeline, in: 0...2) == [])
    #expect(try changes("/texts == []", timeline, in: 0...0) == ["+0"])
  }

  @Test(arguments: [UInt64(1), 2])
  func a_predicate_that_flickers_is_followed(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let texts = (0..<300).map { _ in random.pick(["", "a", "b"]) }
    let timeline = try timeline(texts)

    let machine = TimeMachine(ProbeReactor(), timeline.info, in: store)
    let predicate = try JSONPredicate(
      #"/texts/100 == "a" or /texts/50 == "b" and /texts contains "a""#)
    var (expected, former) = ([String](), false)
    for seq in 0...300 {
      let state = try JSONValue(parsing: EventCodec().encode(machine.state(at: Seq(UInt32(seq)))))
      let holds = try predicate.holds(for: state)
      if holds != former { expected.append("\(holds ? "+" : "-")\(seq)") }
      former = holds
    }
    let found = try changes(
      #"/texts/100 == "a" or /texts/50 == "b" and /texts contains "a""#, timeline, in: 0...300)
    #expect(found == expected)
  }

  @Test func looking_ends_when_enough_was_seen() throws {
    let timeline = try timeline((0..<100).map(String.init))
    var seen = 0
    try timeline.forEachTruth(of: JSONPredicate("/texts/9 exists"), in: 0...100) { seq, holds in
      seen += 1
      #expect(seq == 10 && holds)
      return true
    }
    #expect(seen == 1)
  }
}
