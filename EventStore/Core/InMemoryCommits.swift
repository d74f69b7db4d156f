/// The commits of one session of an `InMemoryEventStore`, as a value that is cheap to copy and to
/// append to: a transaction works on a copy, and gives it up when it fails.
struct InMemoryCommits: Sendable {
  /// One commit with its events.
  final class Entry: Sendable {
    let commit: Commit
    let events: EventBatch
    /// The bytes of all payloads up to here.
    let payloadBytes: Int64

    init(_ commit: Commit, _ events: EventBatch, payloadBytes: Int64) {
      self.commit = commit
      self.events = events
      self.payloadBytes = payloadBytes
    }
  }

  private static let chunkSize = 128
  private var chunks: [[Entry]] = []

  /// The newest commit.
  var last: Entry? { chunks.last?.last }

  /// Every commit, oldest first.
  var all: some Sequence<Entry> { chunks.lazy.flatMap { $0 } }

  /// The commits from the one that holds `seq` or lies behind it, oldest first.
  /// - Complexity: O(log n) to find the first.
  func from(_ seq: Seq) -> some Sequence<Entry> {
    let chunk = chunks.partitioningIndex { ($0.last?.commit.lastSeq ?? .zero) >= seq }
    return chunks[chunk...].lazy.flatMap { $0 }.drop { $0.commit.lastSeq < seq }
  }

  /// - Complexity: O(n / 128) for n commits where a copy is alive, else O(1).
  mutating func append(_ entry: Entry) {
    if let last = chunks.last, last.count < Self.chunkSize {
      chunks[chunks.count - 1].append(entry)
    } else {
      chunks.append([entry])
    }
  }
}
