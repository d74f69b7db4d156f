/// Follows one session's log from its start and finds whatever no writer wrote: edits, deletions,
/// reordering, and rows that break the rules of an append.
///
/// Is fed the commits and events in order: each commit before the events that it holds. Goes on
/// after a finding, so that one damage does not hide the next.
/// - Complexity: memory for the open effects alone.
package struct LogVerifier {
  /// A commit as it is stored.
  package struct CommitRow {
    package var position: Int64
    package var first: Seq
    package var last: Seq
    package var digest: Digest
    /// Of the whole log up to `last`; nil where the store does not say.
    package var payloadBytes: Int64?

    package init(
      position: Int64, first: Seq, last: Seq, digest: Digest, payloadBytes: Int64?
    ) {
      self.position = position
      self.first = first
      self.last = last
      self.digest = digest
      self.payloadBytes = payloadBytes
    }
  }

  /// The effects that are open after the last event: the action's seq, and that of its newest
  /// pending.
  package private(set) var openEffects: [Seq: Seq]
  /// The last event that was fed.
  package private(set) var reached: Seq
  /// The digest of the log up to `reached`.
  package var digest: Digest { chain.digest }

  private let session: String
  private let isAction: (Seq) throws -> Bool
  private let report: (VerifyFinding) -> Void
  private var chain: LogDigest
  private var payloadBytes: Int64
  private var time: Timestamp?
  private var commit: CommitRow?
  private var lastCommit: (position: Int64, last: Seq)
  private var knownAction: Seq?
  /// Whether the event at `reached` lies in no commit.
  private var isUnheld = false

  /// A verifier of the log of `session` that begins behind `start`.
  ///
  /// - Parameters:
  ///   - time: when the event at `start` was recorded, nil for none.
  ///   - openEffects: those open at `start`.
  ///   - isAction: whether an earlier event is an action.
  package init(
    session: String, start: Seq, digest: Digest, payloadBytes: Int64, time: Timestamp?,
    openEffects: [Seq: Seq], isAction: @escaping (Seq) throws -> Bool,
    report: @escaping (VerifyFinding) -> Void
  ) {
    self.session = session
    self.isAction = isAction
    self.report = report
    self.time = time
    self.openEffects = openEffects
    self.payloadBytes = payloadBytes
    chain = LogDigest(continuing: digest)
    reached = start
    lastCommit = (0, start)
  }

  /// Begins `next`, and ends the commit before it.
  package mutating func begin(_ next: CommitRow) {
    finish()
    commit = next
    if next.first != lastCommit.last.advanced(by: 1) || next.last < next.first {
      find(
        next.first,
        "commit \(next.position) holds seq \(next.first) to \(next.last), "
          + "but the commit before it ends at \(lastCommit.last)")
    }
    if next.position <= lastCommit.position {
      find(next.first, "commit \(next.position) is older than the commit before it")
    }
    lastCommit = (next.position, max(next.last, lastCommit.last))
  }

  /// Holds the commit that was begun to the events that were fed since.
  package mutating func finish() {
    guard let commit else { return }
    self.commit = nil
    if reached < commit.last {
      find(reached.advanced(by: 1), "events are missing up to seq \(commit.last)")
      reached = commit.last
    }
    if chain.digest != commit.digest {
      find(
        commit.first,
        "commit \(commit.position) (seq \(commit.first) to \(commit.last)) does not have the "
          + "digest of its events: something in it or in the digest was changed")
      // From here on by what is stored, so that the commits behind are held to their own.
      chain = LogDigest(continuing: commit.digest)
    }
    if let bytes = commit.payloadBytes, bytes != payloadBytes {
      find(commit.last, "the commit counts \(bytes) payload bytes, its events \(payloadBytes)")
      // Followed like the digest, unless sums from there could overflow.
      if Tail.payloadBytesRange.contains(bytes) { payloadBytes = bytes }
    }
  }

  /// Goes on by one event.
  package mutating func event(
    _ header: EventHeader, deliveryID: String?, payload: RawSpan
  ) throws {
    guard arrive(at: header.seq) else { return }
    if let time, header.recordedAt < time {
      find(header.seq, "it is recorded before the event ahead of it")
    }
    time = header.recordedAt
    try followEffects(header)
    chain.append(header, deliveryID: deliveryID, payload: payload)
    payloadBytes += Int64(payload.byteCount)
  }

  /// Goes on by a row that is no event.
  package mutating func malformed(_ seq: Seq, _ problem: String) {
    if arrive(at: seq) { find(seq, problem) }
  }

  /// Whether `seq` is a place where an event can be; reports a gap before it.
  private mutating func arrive(at seq: Seq) -> Bool {
    if let commit, seq > commit.last { finish() }
    guard seq > reached else {
      find(seq, "an event lies before the beginning of the session's own log")
      return false
    }
    if reached.distance(to: seq) > 1 {
      find(reached.advanced(by: 1), "events are missing up to the one at seq \(seq)")
    }
    reached = seq
    // Once for all of them: in a log without commits each event is like the others.
    if commit == nil, !isUnheld {
      find(seq, "no commit holds this event, nor those up to the next commit")
    }
    isUnheld = commit == nil
    return true
  }

  private mutating func followEffects(_ header: EventHeader) throws {
    let (seq, cause) = (header.seq, header.cause)
    let mayBeZero = header.kind == .action || header.kind == .mutation
    let isFine = try cause == .zero ? mayBeZero : cause < seq && isKnownAction(cause)
    if !isFine { find(seq, "its cause \(cause) is not an earlier action") }
    switch header.kind {
    case .action: knownAction = seq
    case .mutation: break
    // Of an open effect too: that takes it over.
    case .pending: openEffects[cause] = seq
    case .completed, .cancelled, .failed:
      if openEffects.removeValue(forKey: cause) == nil, header.kind != .failed {
        find(seq, "it ends the effect of seq \(cause), which was not pending")
      }
    }
  }

  private mutating func isKnownAction(_ cause: Seq) throws -> Bool {
    if cause == knownAction { return true }
    guard try isAction(cause) else { return false }
    knownAction = cause
    return true
  }

  private func find(_ seq: Seq?, _ problem: String) {
    report(VerifyFinding(session: session, seq: seq, problem: problem))
  }
}
