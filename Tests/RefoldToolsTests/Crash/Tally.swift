import EventStoreTesting
import Synchronization

/// What a proof counts while its trials run, in the order of first mention.
final class Tally: Sendable {
  private let counts = Mutex<[(what: String, Int)]>([])

  func add(_ what: String, _ count: Int = 1) {
    counts.withLock { counts in
      if let index = counts.firstIndex(where: { $0.what == what }) {
        counts[index].1 += count
      } else {
        counts.append((what, count))
      }
    }
  }

  func count(_ what: String) -> Int {
    counts.withLock { $0.first { $0.what == what }?.1 ?? 0 }
  }

  /// Prints them as the figures of `proof`.
  func note(_ proof: String) { Figures.note("Kill", proof, counts.withLock { $0 }) }
}
