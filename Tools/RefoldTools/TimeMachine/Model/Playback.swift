import EventStoreCore

/// Playing a session as it was recorded, faster if asked for, and without its idle time.
struct Playback: Equatable {
  /// The speeds to choose from: times as fast as recorded.
  static let speeds = [1, 2, 5, 10, 20, 50, 100]
  /// The longest wait between two events that is played, in microseconds of the recording.
  static let idleLimit: Int64 = 2_000_000
  /// The shortest time for which a state is shown, in microseconds: events that come faster are
  /// skipped over.
  static let frame: Int64 = 33_000

  private(set) var speed = 1

  /// The next faster speed, if there is one.
  mutating func accelerate() { speed = Self.speeds.first { $0 > speed } ?? speed }

  /// The next slower speed, if there is one.
  mutating func slowDown() { speed = Self.speeds.last { $0 < speed } ?? speed }

  /// The most time that is caught up with at once, in microseconds.
  static let longestFrame: Int64 = 10_000_000
  /// The most steps, from one event to others that are due, that are taken at once.
  static let stepLimit = 20_000

  /// How far a recording is played.
  struct Head {
    /// The last event that was due, and when it was recorded.
    var seq: Seq
    var time: Int64
    /// The time of the recording that is reached, which was reached at `now`.
    var reached: Int64
    var now: Int64
  }

  /// When, in the time of the recording, an event recorded at `time` comes after `head`: idle time
  /// is cut.
  static func due(_ time: Int64, after head: Head) -> Int64 {
    min(max(time, head.time), head.time + idleLimit)
  }

  /// How long it is from `head` to an event recorded at `time`, in microseconds that pass.
  func wait(until time: Int64, from head: Head) -> Int64 {
    let left = max(0, Self.due(time, after: head) - head.reached)
    return (left + Int64(speed) - 1) / Int64(speed)
  }
}
