import EventStoreCore
import Synchronization

/// Takes snapshots of a live session: of what is durable, and unless they are small on a queue of
/// their own, so that neither the loop nor the writer waits. They are saved together with the next
/// commit, and the last one when the session closes.
final class SnapshotTaker<R: Reactor>: Sendable {
  private let shelf: SnapshotShelf<R>
  private let codec: EventCodec
  /// Knows whether a secret stood in the clear in what the session logged: what `reduce` made of it
  /// then need not be what it makes of the digest in the log.
  private let secrets: SecretWitness
  private let queue: SessionExecution.SerialQueue
  private let report: @Sendable (SessionIssue) -> Void
  private let desk: Mutex<Desk>

  private struct Desk {
    var pace: SnapshotPace
    var isMaking = false
    /// Made, and to be saved with the next commit.
    var ready: [Snapshot]
    /// How many were taken of the live state.
    var taken = 0
    /// Whether other processes have appended since the newest snapshot, and may have saved some.
    var hasOthers = false
    var hasDiffered = false
    /// Of the last one that was taken of the live state.
    var size = Int.max
  }

  /// A state and the bytes of the events since the snapshot before it.
  private struct Candidate: Sendable {
    let state: R.State
    let seq: Seq
    let digest: Digest
    let bytes: Int
    /// Whether it is held to what the log folds to.
    let isChecked: Bool
    /// Whether it is kept only where it takes no more space than the events since the one before.
    let mustBeSmall: Bool
  }

  private enum Outcome {
    case taken(Snapshot)
    case tooLarge(Int)
    case unfit
    case found(Seq)
  }

  /// One in so many is held to what the log folds to, the first included: a reactor whose mutations do
  /// not come back from their JSON as they were is found out without folding everything twice.
  private static var checkedOneIn: Int { 16 }
  /// What has no more bytes is made at once: that takes some microseconds, and by the time that a
  /// queue gets to it, a busy session has made other commits.
  private static var smallBytes: Int { 4096 }

  init(
    _ trail: SnapshotTrail<R>, _ shelf: SnapshotShelf<R>, _ codec: EventCodec,
    _ secrets: SecretWitness, on queue: @escaping SessionExecution.SerialQueue,
    report: @escaping @Sendable (SessionIssue) -> Void
  ) {
    self.shelf = shelf
    self.codec = codec
    self.secrets = secrets
    self.queue = queue
    self.report = report
    desk = Mutex(Desk(pace: trail.pace, ready: trail.taken))
    if let failure = trail.failure { report(.snapshotFailed(error: failure)) }
  }

  /// Takes note of a commit that is durable and of the state that it leads to, and makes a snapshot
  /// where one is due. On the writer queue.
  ///
  /// - Parameters:
  ///   - bytes: what the payloads of the commit's events come to.
  ///   - foldedOthers: whether other processes had appended before it.
  func committed(
    _ commit: Commit, bytes: Int, foldedOthers: Bool, state: @autoclosure () -> R.State
  ) {
    guard let foldID = shelf.foldID else { return }
    var isSmall = false
    let candidate = desk.withLock { desk -> Candidate? in
      desk.pace.add(bytes)
      if foldedOthers { desk.hasOthers = true }
      guard !desk.isMaking, desk.pace.isDue(at: commit.lastSeq) else { return nil }
      desk.isMaking = true
      isSmall = desk.size <= Self.smallBytes && !desk.hasOthers && !secrets.hasSeenClear
      return Candidate(
        state: state(), seq: commit.lastSeq, digest: commit.digest, bytes: desk.pace.bytes,
        isChecked: desk.taken % Self.checkedOneIn == 0, mustBeSmall: true)
    }
    guard let candidate else { return }
    if isSmall, !candidate.isChecked { return make(candidate, foldID) }
    queue { [self] in make(candidate, foldID) }
  }

  /// Saves what is ready beside what `transaction` has appended.
  func save(in transaction: any EventStoreTransaction) {
    let ready = desk.withLock { desk in
      defer { desk.ready = [] }
      return desk.ready
    }
    for snapshot in ready {
      do {
        try transaction.save(snapshot, of: shelf.info.id)
      } catch {
        report(.snapshotFailed(error: error))
      }
    }
  }

  /// Saves what is ready, and the last state, which is that at `seq`, where it is worth its space.
  /// Blocks on the store. Nothing may be committed any more.
  func close(_ state: R.State, at seq: Seq) throws {
    guard let foldID = shelf.foldID else { return }
    let (pace, ready) = desk.withLock { ($0.pace, $0.ready) }
    for snapshot in ready { try shelf.store.save(snapshot, of: shelf.info.id) }
    guard seq > .zero, pace.newest != seq else { return }
    // The first one is kept though it may be larger than the log: by it later code is seen to fold to
    // the same.
    let candidate = Candidate(
      state: state, seq: seq, digest: try shelf.store.digest(of: shelf.info.id, at: seq),
      bytes: pace.bytes, isChecked: true, mustBeSmall: pace.newest != nil)
    if case .taken(let snapshot) = try outcome(of: candidate, foldID) {
      try shelf.store.save(snapshot, of: shelf.info.id)
    }
  }

  /// Returns when nothing is being made.
  func rest() async {
    await withCheckedContinuation { continuation in
      queue { continuation.resume() }
    }
  }
}

extension SnapshotTaker {
  private func make(_ candidate: Candidate, _ foldID: String) {
    // What goes wrong here is told when the session closes, if it is still so.
    let outcome = (try? self.outcome(of: candidate, foldID)) ?? .unfit
    desk.withLock { desk in
      desk.isMaking = false
      switch outcome {
      case .taken(let snapshot):
        desk.ready.append(snapshot)
        desk.size = snapshot.state.count
        desk.taken += 1
        desk.hasOthers = false
        desk.pace.took(at: snapshot.seq, size: snapshot.state.count, bytes: candidate.bytes)
      case .tooLarge(let size): desk.pace.refused(size: size)
      case .unfit: desk.pace.failed(at: candidate.seq)
      case .found(let seq):
        desk.hasOthers = false
        desk.pace.found(at: seq)
      }
    }
  }

  /// - Throws: what encoding throws; `SessionError.undecodable`; `EventStoreError`.
  private func outcome(of candidate: Candidate, _ foldID: String) throws -> Outcome {
    if let seq = try newestOfOthers(before: candidate.seq, foldID) { return .found(seq) }
    let hasSecrets = secrets.hasSeenClear
    let state = hasSecrets ? try shelf.fold(through: candidate.seq).state : candidate.state
    let bytes = try codec.encode(state)
    guard isAllowed(bytes.count, candidate) else { return .tooLarge(bytes.count) }
    guard StateFidelity.holds(state, as: bytes, codec) else { return .unfit }
    if candidate.isChecked, !hasSecrets {
      let folded = try shelf.fold(through: candidate.seq).state
      guard StateFidelity.areSame(state, folded), try codec.encode(folded) == bytes else {
        tellDifference(at: candidate.seq)
        return .unfit
      }
    }
    return .taken(
      Snapshot(seq: candidate.seq, foldID: foldID, logDigest: candidate.digest, state: bytes))
  }

  private func isAllowed(_ size: Int, _ candidate: Candidate) -> Bool {
    candidate.mustBeSmall
      ? SnapshotPace.allows(size, for: candidate.bytes) : size <= SnapshotPolicy.mostBytes
  }

  /// The newest snapshot that another process has saved meanwhile, if that is near.
  private func newestOfOthers(before seq: Seq, _ foldID: String) throws -> Seq? {
    let (hasOthers, newest) = desk.withLock { ($0.hasOthers, $0.pace.newest ?? .zero) }
    guard hasOthers,
      let found = try shelf.store.snapshot(of: shelf.info.id, atOrBefore: seq, foldID: foldID),
      found.seq > newest, found.seq.distance(to: seq) < shelf.leastEvents
    else { return nil }
    return found.seq
  }

  private func tellDifference(at seq: Seq) {
    let isNews = desk.withLock { desk in
      defer { desk.hasDiffered = true }
      return !desk.hasDiffered
    }
    if isNews { report(.stateDiffersFromLog(seq: seq)) }
  }
}
