import Synchronization

/// What is to go wrong.
final class FaultScript: Sendable {
  private struct Entry {
    var pattern: RequestPattern
    var faults: [Fault]
    /// How often it still applies; nil for always.
    var times: Int?
  }

  private let entries = Mutex<[Entry]>([])
  /// How long every request waits, in seconds.
  private let delay = Mutex(0.0)

  func add(_ faults: [Fault], for pattern: RequestPattern, times: Int?) {
    entries.withLock { $0.append(Entry(pattern: pattern, faults: faults, times: times)) }
  }

  func slowDown(by seconds: Double) { delay.withLock { $0 = seconds } }

  func clear() {
    entries.withLock { $0 = [] }
    slowDown(by: 0)
  }

  /// What goes wrong with `request`, in order: what the oldest entry says that is meant for it.
  func take(for request: ReceivedRequest) -> [Fault] {
    let seconds = delay.withLock { $0 }
    return (seconds > 0 ? [.delay(seconds: seconds)] : []) + taken(for: request)
  }

  private func taken(for request: ReceivedRequest) -> [Fault] {
    entries.withLock { entries in
      let index = entries.firstIndex { $0.times != 0 && $0.pattern.matches(request) }
      guard let index else { return [] }
      defer {
        if let times = entries[index].times { entries[index].times = times - 1 }
        entries.removeAll { $0.times == 0 }
      }
      return entries[index].faults
    }
  }
}
