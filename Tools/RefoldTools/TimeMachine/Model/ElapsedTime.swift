import EventStoreCore

/// Times since a session began, as short as a list needs them.
enum ElapsedTime {
  /// `0.000`, `59.999`, `2:05.1`, `3:00:12`, `4d 03:00`: at most 9 columns up to some years.
  static func text(from start: Timestamp, to time: Timestamp) -> String {
    let microseconds = max(0, time.microseconds - start.microseconds)
    let seconds = microseconds / 1_000_000
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400)
    if minutes == 0 { return "\(seconds).\(padded(microseconds / 1000 % 1000, 3))" }
    if hours == 0 {
      return "\(minutes):\(padded(seconds % 60, 2)).\(microseconds / 100_000 % 10)"
    }
    if days == 0 { return "\(hours):\(padded(minutes % 60, 2)):\(padded(seconds % 60, 2))" }
    return "\(days)d \(padded(hours % 24, 2)):\(padded(minutes % 60, 2))"
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
