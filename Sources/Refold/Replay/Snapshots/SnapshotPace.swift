import EventStoreCore

/// How far a log has come since the newest snapshot of it.
struct SnapshotPace: Sendable {
  /// The newest snapshot's seq; nil where there is none.
  private(set) var newest: Seq?
  /// The payload bytes of the events since then, as far as they were seen: those that other
  /// processes append are not.
  private(set) var bytes = 0
  /// What the bytes have to come to before it is worth while to encode the state.
  private var leastBytes = 0
  private var leastEvents: Int
  private let usualEvents: Int

  /// - Parameter leastEvents: as `SnapshotPolicy.leastEvents`.
  init(newest: Seq?, leastEvents: Int) {
    self.newest = newest
    (self.leastEvents, usualEvents) = (leastEvents, leastEvents)
  }

  /// Takes note of events whose payloads have `bytes`.
  mutating func add(_ bytes: Int) { self.bytes += bytes }

  /// The least seq at which the next snapshot may be due; nil where no log reaches it.
  var next: Seq? { (newest ?? .zero).advanced(by: leastEvents) }

  /// Whether a snapshot is to be taken at `seq`, if its state is no larger than the last one.
  func isDue(at seq: Seq) -> Bool {
    (newest ?? .zero).distance(to: seq) >= leastEvents && bytes >= leastBytes
  }

  /// Whether a state of `size` bytes takes no more than events of `bytes` bytes.
  static func allows(_ size: Int, for bytes: Int) -> Bool {
    size <= SnapshotPolicy.mostBytes && size + SnapshotPolicy.rowBytes <= bytes
  }

  /// A snapshot with a state of `size` bytes was taken at `seq`, where the bytes were `bytes`.
  mutating func took(at seq: Seq, size: Int, bytes: Int) {
    newest = seq
    self.bytes -= bytes
    leastBytes = size + SnapshotPolicy.rowBytes
    leastEvents = usualEvents
  }

  /// The state had `size` bytes, too many for the events since the newest snapshot.
  mutating func refused(size: Int) { leastBytes = size + SnapshotPolicy.rowBytes }

  /// The state could not be kept. The next try is twice as far off, so that tries cost next to nothing.
  mutating func failed(at seq: Seq) {
    leastEvents = 2 * max(leastEvents, (newest ?? .zero).distance(to: seq))
  }

  /// Another process has taken one at `seq`.
  mutating func found(at seq: Seq) {
    newest = seq
    bytes = 0
  }
}
