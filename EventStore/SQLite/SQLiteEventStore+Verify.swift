import EventStoreCore

extension SQLiteEventStore {
  /// As `EventStore.verify(_:report:)`; without a session also what concerns the whole file: SQLite's
  /// own structures, the schema's text, rows that belong to no session.
  ///
  /// The schema comes first: what is not one of the store's own tables is reported and never read.
  public func verify(
    _ session: SessionID?, report: @escaping (VerifyFinding) -> Void
  ) throws {
    try readers.whileOpen {
      let findings = FindingsOnce(report)
      try verify(session, findings)
      // Whatever was met first, this is what is wrong.
      if findings.hasAny, let missing = opening.missingPages(of: source) {
        findings.report(VerifyFinding(problem: "\(missing)"))
      }
    }
  }

  private func verify(_ session: SessionID?, _ findings: FindingsOnce) throws {
    let damage = { (problem: String) in findings.report(VerifyFinding(problem: problem)) }
    // A connection of its own: nothing that was read before is believed.
    let connection = try EventStoreError.reportingDamage(to: damage) {
      try opening.connection(of: source)
    }
    guard let connection else { return }
    defer { connection.close() }
    try opening.requireFile(identity)
    let flaws = try EventStoreError.reportingDamage(to: damage) {
      try Schema.flaws(of: connection)
    }
    guard let flaws else { return }
    let verifier = try StoreVerifier(connection, flaws, report: findings.report)
    defer { verifier.finish() }
    try verifier.verify(session)
  }
}

/// Hands findings on, those that are of no event once each: one page that cannot be read is met again
/// wherever something leads to it.
private final class FindingsOnce {
  private(set) var hasAny = false
  private var seen: Set<VerifyFinding> = []
  private let next: (VerifyFinding) -> Void

  init(_ next: @escaping (VerifyFinding) -> Void) { self.next = next }

  func report(_ finding: VerifyFinding) {
    hasAny = true
    guard finding.seq != nil || seen.insert(finding).inserted else { return }
    next(finding)
  }
}
