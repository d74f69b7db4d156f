import EventStoreCore
import EventStoreTesting
import Synchronization
import Testing

@testable import RefoldTools

@Suite("Playing in the time machine")
final class TimeMachinePlayTests {
  private let store = InMemoryEventStore()
  private let clock = Mutex<Int64>(0)

  /// A model of a session whose events were recorded at `times`, in microseconds.
  private func model(_ times: some Sequence<Int64>) throws -> TimeMachineModel {
    let session = try store.createSession("s")
    var batch = EventBatch()
    for (index, time) in times.enumerated() {
      batch.append(
        EventHeader(
          seq: Seq(UInt32(index) + 1), kind: index % 2 == 0 ? .action : .mutation, cause: .zero,
          recordedAt: Timestamp(microseconds: 1_700_000_000_000_000 + time)),
        payload: Array("1".utf8))
    }
    try store.append(batch, to: session, expecting: .zero, schemaVersion: 1)
    let info = try #require(try store.session(named: SessionName("s")))
    return try TimeMachineModel(
      info, in: store, after: .zero, through: Seq(UInt32(batch.count)), at: .zero, worker: nil,
      now: { [unowned self] in clock.withLock { $0 } })
  }

  private func play(_ model: TimeMachineModel, speed: Int = 1) throws {
    while model.playback.speed < speed { model.playback.accelerate() }
    try model.press(.character(" "))
    try model.tick()
  }

  /// Lets `time` pass, as frames that come `late` after they were due.
  private func pass(_ time: Int64, late: Int64 = 0, _ model: TimeMachineModel) throws {
    let end = clock.withLock { $0 } + time
    while model.isPlaying {
      let next = max(model.playDue, clock.withLock { $0 }) + late
      clock.withLock { $0 = min(next, end) }
      try model.tick()
      if next >= end { return }
    }
  }

  private static let dense = (0..<100_000).map { Int64($0) * 10 }

  @Test(arguments: [0, 1_000, 70_000] as [Int64])
  func a_hundred_thousand_events_of_a_second_take_a_second(late: Int64) throws {
    let model = try model(Self.dense)
    try play(model)
    for tenth in 1...9 {
      try pass(100_000, late: late, model)
      let due = tenth * 10_000
      let frame = Int(Playback.frame + late) / 10
      #expect((due - frame...due + 1).contains(Int(model.position.rawValue)), "at 0.\(tenth) s")
    }
    try pass(100_000 + Playback.frame + late, late: late, model)
    #expect(model.position == 100_000)
  }

  @Test func a_hundred_times_as_fast_they_are_there_in_a_frame() throws {
    let model = try model(Self.dense)
    try play(model, speed: 100)
    #expect(model.position == 1)
    try pass(Playback.frame, model)
    #expect(model.position == 100_000)
  }

  @Test(arguments: [1, 2, 10, 100], ["", "action"])
  func late_frames_add_up_to_nothing(speed: Int, filter: String) throws {
    // An event every 10 ms, but for an hour of idle time after each five seconds.
    let model = try model((0..<2_000).map { Int64($0) * 10_000 + Int64($0 / 500) * 3_600_000_000 })
    if !filter.isEmpty {
      model.window = EventWindow(
        model.info.id, of: store, after: .zero, through: model.window.end,
        filter: EventFilter(filter))
    }
    try play(model, speed: speed)
    // The last but one event that is listed of each stretch, and three times two seconds idle.
    let total = (4 * 4_990_000 + 3 * 2_000_000) / Int64(speed)
    try pass(total - 100_000 / Int64(speed), late: 7_000, model)
    #expect(model.position.rawValue > 1_950 - UInt32(speed) * 8 && model.position < 2_000)
    try pass(100_000 + 2 * Playback.frame, late: 7_000, model)
    #expect(model.position >= 1_999)
  }

  @Test func who_goes_elsewhere_is_played_to_from_there() throws {
    let model = try model((0..<100).map { Int64($0) * 1_000_000 })
    try play(model)
    try pass(3_500_000, model)
    #expect(model.position == 4)
    try model.go(to: 50)
    try pass(600_000, model)
    #expect(model.position == 51)
    try pass(1_000_000, model)
    #expect(model.position == 52)
  }
}
