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

  /// How long to wait between two events recorded `gap` microseconds apart, in microseconds.
  func wait(for gap: Int64) -> Int64 { min(max(0, gap), Self.idleLimit) / Int64(speed) }
}
