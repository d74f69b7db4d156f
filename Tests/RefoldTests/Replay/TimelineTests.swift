import EventStoreCore
import EventStoreTesting
import Refold
import Synchronization
import Testing

/// A log of `count` mutations of the probe, written at once.
private func record(
  _ count: Int, in store: any EventStore, named name: String = "s"
) throws -> SessionInfo {
  let codec = EventCodec()
  let info =
    try store.session(named: SessionName(name))
    ?? store.transaction {
      try $0.createSession(
        named: SessionName(name), reactor: ProbeReactor.name, at: Timestamp(microseconds: 0))
    }
  let version = try store.tail(of: info.id).version
  var batch = EventBatch()
  for place in 1...count {
    let seq = Seq(version.rawValue + UInt32(place))
    let header = EventHeader(
      seq: seq, kind: .mutation, cause: .zero,
      recordedAt: Timestamp(microseconds: Int64(seq.rawValue)))
    batch.append(header, payload: try codec.encode(ProbeReactor.Mutation(text: "\(seq)")))
  }
  try store.append(batch, to: info.id, expecting: version, schemaVersion: 1)
  return info
}

/// How often something was reduced.
private final class Reductions: Sendable {
  private let total = Mutex(0)
  var count: Int { total.withLock { $0 } }
  func add() { total.withLock { $0 += 1 } }
}

@Suite struct TimelineTests {
  private let store = InMemoryEventStore()

  @Test(arguments: [UInt64(1), 2, 3])
  func a_fold_is_the_same_wherever_one_comes_from(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let info = try record(700, in: store)
    let machine = TimeMachine(ProbeReactor(), info, in: store)
    let timeline = try Timeline(ProbeReactor(), info, in: store, limit: 2 + random.below(20))
    var seq = 0
    for round in 0..<600 {
      switch random.below(5) {
      case 0: seq = random.below(701)
      case 1: seq = max(0, seq - random.below(40))
      case 2: seq = max(0, seq - 1)
      default: seq = min(700, seq + 1)
      }
      let asked = Seq(UInt32(seq))
      let fold = try timeline.fold(at: asked)
      try #require(fold.seq == asked, "seed \(seed), round \(round)")
      let expected = try machine.state(at: asked)
      try #require(fold.state == expected, "seed \(seed), round \(round), at \(seq)")
      #expect(fold.recordedAt == (seq == 0 ? nil : Timestamp(microseconds: Int64(seq))))
    }
    #expect(timeline.keyframeSeqs.count <= 22)
  }

  @Test func keyframes_stay_few_and_evenly_spread() throws {
    let info = try record(4000, in: store)
    let timeline = try Timeline(ProbeReactor(), info, in: store, limit: 10)
    _ = try timeline.fold(at: timeline.last)
    let seqs = timeline.keyframeSeqs.map { Int($0.rawValue) }
    #expect((5...10).contains(seqs.count))
    #expect(Set(zip(seqs, seqs.dropFirst()).map { $1 - $0 }).count == 1, "\(seqs)")
  }

  @Test func a_step_costs_an_event_forward_and_few_backward() throws {
    let reductions = Reductions()
    let info = try record(4000, in: store)
    let reactor = ProbeReactor(onReduce: { _ in reductions.add() })
    let timeline = try Timeline(reactor, info, in: store, limit: 10)
    _ = try timeline.fold(at: 3000)
    #expect(reductions.count == 3000)
    for seq in 3001...3100 { _ = try timeline.fold(at: Seq(UInt32(seq))) }
    #expect(reductions.count == 3100)
    // Keyframes are 512 apart here, and one stretch of them is folded densely once.
    for seq in (2700...3099).reversed() { _ = try timeline.fold(at: Seq(UInt32(seq))) }
    #expect(reductions.count < 3100 + 2 * 512 + 400 * 8)
    let before = reductions.count
    _ = try timeline.fold(at: 700)
    #expect(reductions.count - before <= 512)
  }

  @Test func a_session_that_grows_is_followed() throws {
    let info = try record(10, in: store)
    let timeline = try Timeline(ProbeReactor(), info, in: store)
    #expect(try timeline.fold(at: 10).state.texts.count == 10)
    #expect(try timeline.refresh() == false)
    _ = try record(5, in: store)
    #expect(throws: SessionError.self) { try timeline.fold(at: 11) }
    #expect(try timeline.refresh())
    #expect(timeline.last == 15)
    #expect(try timeline.fold(at: 15).state.texts.last == "15")
  }

  @Test func every_step_of_a_range_is_lent_from_the_nearest_keyframe() throws {
    let reductions = Reductions()
    let info = try record(1000, in: store)
    let reactor = ProbeReactor(onReduce: { _ in reductions.add() })
    let timeline = try Timeline(reactor, info, in: store)
    _ = try timeline.fold(at: 1000)
    var seen: [String] = []
    let found = try timeline.firstStep(in: 501...900) { header, _, fold in
      #expect(fold.seq == header.seq)
      seen.append(fold.state.texts.last ?? "")
      return header.seq == 504
    }
    #expect(found == 504)
    #expect(seen == ["501", "502", "503", "504"])
    #expect(reductions.count <= 1000 + 16 + 4)
    #expect(throws: SessionError.self) {
      try timeline.firstStep(in: 999...1001) { _, _, _ in false }
    }
  }

  @Test func folding_can_be_given_up_and_taken_up_again() throws {
    struct Enough: Error {}
    let info = try record(9000, in: store)
    let timeline = try Timeline(ProbeReactor(), info, in: store)
    timeline.willFold = { if $0 >= 4096 { throw Enough() } }
    #expect(throws: Enough.self) { try timeline.fold(at: 9000) }
    timeline.willFold = nil
    #expect(try timeline.fold(at: 9000).state.texts.count == 9000)
  }

  @Test func an_event_that_cannot_be_read_is_named_and_what_lies_before_it_is_seen() throws {
    let info = try record(100, in: store)
    var batch = EventBatch()
    let header = EventHeader(
      seq: 101, kind: .mutation, cause: .zero, recordedAt: Timestamp(microseconds: 200))
    batch.append(header, payload: Array("{}".utf8))
    try store.append(batch, to: info.id, expecting: 100, schemaVersion: 1)
    let timeline = try Timeline(ProbeReactor(), info, in: store)
    let error = #expect(throws: SessionError.self) { try timeline.fold(at: 101) }
    #expect(error?.description.hasPrefix("event 101 of session s, a mutation") == true)
    #expect(try timeline.fold(at: 100).state.texts.count == 100)
  }
}
