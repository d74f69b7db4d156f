import EventStoreCore

/// Brings out one session: as far as the chain of digests proves it from its start, into the new store;
/// what lies behind a gap aside.
///
/// Goes from commit to commit. A commit is proven from the digest of the proven log before it, also over
/// commits whose own rows are damaged; else from the digest that the commit before it claims, which
/// proves the events between the two, but not that they are the continuation of what is missing.
struct SessionRecovery {
  /// Copies of events that are tried in the place of others, in each commit.
  private static let copiesTried = 64
  /// Behind the last commit, an event further away than this from the one before it is one whose number
  /// is damaged: what is between the two was never there.
  private static let longestGap: UInt32 = 1 << 16

  private let log: FoundLog
  private let committed: CommittedEvents
  private let isCancelled: () -> Bool
  private let bringAside: (LostEvent) throws -> Void
  private var writer: RecoveredLog
  private(set) var outcome: RecoveredSession
  /// The chain from the last proven place over the events since; nil where one of them is missing.
  private var running: LogDigest?
  /// What the commits that end at `reached` claim.
  private var claimed: [Digest]
  /// As far as commits were looked at.
  private var reached: Seq
  /// As far as everything is in the new store or aside.
  private var settled: Seq

  /// - Parameters:
  ///   - start: where the session's own log begins, and the digest there, nil where that is lost.
  ///   - writer: what writes to the new store.
  init(
    _ log: FoundLog, _ outcome: RecoveredSession, start: Seq, digest: Digest?,
    writer: RecoveredLog, isCancelled: @escaping () -> Bool,
    bringAside: @escaping (LostEvent) throws -> Void
  ) throws {
    (self.log, self.outcome, self.writer, self.bringAside) = (log, outcome, writer, bringAside)
    (committed, self.isCancelled) = (log.committedEvents(), isCancelled)
    running = digest.map { LogDigest(continuing: $0) }
    claimed = digest.map { [$0] } ?? []
    (reached, settled) = (start, start)
    self.outcome.last = max(start, try log.lastSeq())
  }

  /// Brings out everything.
  ///
  /// - Returns: the session of the new store, nil where there is none.
  /// - Throws: `EventStoreError` of the new store; `CancellationError`; what `bringAside` throws.
  mutating func run() throws -> SessionInfo? {
    while let claims = try log.claims(after: reached) {
      if isCancelled() { throw CancellationError() }
      // What ends behind everything that is known, and does not fit its seal, is a damaged number.
      if claims.isWhole || claims.last <= outcome.last { try take(claims) } else { break }
    }
    try settle(through: outcome.last)
    outcome.isInStore = writer.session != nil
    outcome.events = outcome.isInStore ? Int(writer.version.rawValue) : 0
    outcome.digest = try writer.digest()
    if !outcome.isInStore, writer.mayWrite {
      note("nothing of it is proven, not even its name, so it has no session in the new store")
    }
    return writer.session
  }

  private mutating func take(_ claims: FoundLog.Claims) throws {
    defer { reached = claims.last }
    var tries = try chains(through: claims.last)
    if !proves(tries, claims), try repair(through: claims.last, claims) {
      tries = try chains(through: claims.last)
    }
    if let running = tries.running?.digest, let commit = claims.commit(with: running) {
      return try accept(commit, through: claims.last)
    }
    for digest in tries.claimed.map(\.digest) {
      guard let commit = claims.commit(with: digest) else { continue }
      try settle(through: reached)
      return try accept(commit, through: claims.last)
    }
    running = tries.running
    claimed = claims.commits.map(\.digest.digest)
  }

  /// The events since `settled` are proven up to `last`.
  private mutating func accept(_ commit: FoundCommit, through last: Seq) throws {
    if settled == writer.version, writer.mayWrite {
      let isOneCommit = commit.first.previous == settled
      if try writer.append(log, through: last, commit, isOneCommit: isOneCommit) {
        settled = last
        outcome.last = max(outcome.last, last)
        if !commit.isWhole { note("the schema version of seq \(last) may have been altered") }
      } else {
        note("seq \(settled.rawValue + 1) to \(last) break the rules of a log")
        try bringAside(through: last) { _ in .suspect }
      }
    } else {
      try bringAside(through: last) { _ in .whole }
    }
    running = LogDigest(continuing: commit.digest.digest)
    claimed = [commit.digest.digest]
  }

  /// Gives up on proving the events up to `last`.
  private mutating func settle(through last: Seq) throws {
    guard settled < last else { return }
    let committed = committed
    try bringAside(through: last) { try committed.contain($0) ? .suspect : .unchecked }
  }

  private mutating func bringAside(
    through last: Seq, _ standing: (Seq) throws -> LostEvent.Standing
  ) throws {
    var (expected, outcome) = (settled.rawValue &+ 1, outcome)
    let lastClaim = try log.lastClaim()
    try log.events(after: settled, through: last) { row in
      if isCancelled() { throw CancellationError() }
      let seq = row.header.seq
      let sure = try standing(seq)
      // What no finished transaction holds was never promised to be there.
      if row.standing == .unfinished, sure != .whole { return }
      if expected < seq.rawValue, seq <= lastClaim || seq.rawValue - expected < Self.longestGap {
        outcome.miss(expected...(seq.rawValue - 1))
      }
      expected = seq.rawValue &+ 1
      outcome.bringAside(seq, sure)
      try bringAside(
        LostEvent(
          session: outcome.name, header: row.header, payload: Array(row.payload),
          deliveryID: row.delivery?.id, standing: sure))
    }
    if expected <= last.rawValue, expected > 0 { outcome.miss(expected...last.rawValue) }
    self.outcome = outcome
    settled = last
  }

  private mutating func note(_ text: String) { outcome.notes.append(text) }
}

// MARK: Chains

extension SessionRecovery {
  /// The chains of the events after `reached` from all that is known there.
  private struct Chains {
    var running: LogDigest?
    var claimed: [LogDigest] = []
  }

  private func proves(_ chains: Chains, _ claims: FoundLog.Claims) -> Bool {
    ([chains.running].compactMap { $0 } + chains.claimed).contains {
      claims.commit(with: $0.digest) != nil
    }
  }

  /// - Parameter other: an event in the place of the one that was found first.
  private func chains(through last: Seq, with other: Event? = nil) throws -> Chains {
    var chains = Chains(
      running: running, claimed: claimed.map { LogDigest(continuing: $0) })
    var expected = reached.advanced(by: 1)
    var isUnbroken = true
    try log.events(after: reached, through: last) { row in
      isUnbroken = isUnbroken && row.header.seq == expected
      guard isUnbroken else { return }
      expected = row.header.seq.advanced(by: 1)
      let isOther = other?.header.seq == row.header.seq
      let header = isOther ? other?.header ?? row.header : row.header
      let payload = isOther ? other?.payload : nil
      func append(_ chain: inout LogDigest) {
        if let payload {
          chain.append(header, deliveryID: row.delivery?.id, payload: payload.span.bytes)
        } else {
          chain.append(header, deliveryID: row.delivery?.id, payload: row.payload.bytes)
        }
      }
      if var running = chains.running {
        append(&running)
        chains.running = running
      }
      for index in chains.claimed.indices { append(&chains.claimed[index]) }
    }
    return isUnbroken && expected == last.advanced(by: 1) ? chains : Chains()
  }

  /// Puts another copy of an event in the place of the one found first, where that proves the commit.
  private func repair(through last: Seq, _ claims: FoundLog.Claims) throws -> Bool {
    let others = try log.otherEvents(after: reached, through: last, limit: Self.copiesTried)
    for (id, event) in others where proves(try chains(through: last, with: event), claims) {
      try log.replace(id, by: event)
      return true
    }
    return false
  }
}
