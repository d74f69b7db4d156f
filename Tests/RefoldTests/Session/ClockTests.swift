import EventStoreCore
import EventStoreTesting
import Foundation
import Refold
import Synchronization
import Testing

/// The system's clock may be set while a session is open, by an hour or by years, or stand still.
@Suite("A clock that goes wrong", .timeLimit(.minutes(Trials.minutes(5))))
struct ClockTests {
  /// A clock that is set to another time now and then.
  private final class WildClock: Sendable {
    private let state: Mutex<(random: SeededGenerator, time: Int64)>

    init(seed: UInt64) {
      state = Mutex((SeededGenerator(seed: seed), 1_796_026_500_000_000))
    }

    func now() -> Timestamp {
      state.withLock { state in
        switch Int.random(in: 0..<10, using: &state.random) {
        case 0: state.time -= 3_600_000_000
        case 1: state.time += 3_600_000_000
        case 2: state.time = Int64.random(in: -1 << 52...1 << 52, using: &state.random)
        case 3...6: break
        default: state.time += 7
        }
        return Timestamp(microseconds: state.time)
      }
    }
  }

  @Test func never_makes_the_times_of_a_log_go_back() async throws {
    var events = 0
    var setBack = 0
    for seed in UInt64(1)...(Trials.isLong ? 400 : 20) {
      let store = InMemoryEventStore()
      let clock = WildClock(seed: seed)
      let seen = Mutex<[Timestamp]>([])
      var options = SessionOptions()
      options.now = {
        let time = clock.now()
        seen.withLock { $0.append(time) }
        return time
      }
      for _ in 0..<3 {
        let session = try await Session.open(
          ProbeReactor(), named: "s", in: store, options: options)
        for number in 0..<10 { try await session.send(.probe("\(number)")) }
        try await session.close()
      }
      let asked = seen.withLock { $0 }
      setBack += zip(asked, asked.dropFirst()).count { $0 > $1 }
      let session = try #require(try store.session(named: SessionName("s")))
      let times = try store.allEvents(of: session.id).map(\.header.recordedAt)
      #expect(times.count == 60)
      #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }, "seed \(seed)")
      for (index, time) in times.enumerated() {
        // The position of a time is the last event that was there by then.
        let last = try #require(times.lastIndex { $0 <= time })
        #expect(try store.seq(of: session.id, at: time) == Seq(UInt32(last) + 1), "seed \(seed)")
        #expect(last >= index)
      }
      events += times.count
      var findings: [String] = []
      try store.verify(nil) { findings.append($0.description) }
      #expect(findings == [], "seed \(seed)")
    }
    #expect(setBack > 0)
    Figures.note(
      "Environment", "a clock that is set", [("times set back", setBack), ("events", events)])
  }
}
