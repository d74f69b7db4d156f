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
      let damage = { (problem: String) in report(VerifyFinding(problem: problem)) }
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
      let verifier = try StoreVerifier(connection, flaws, report: report)
      defer { verifier.finish() }
      try verifier.verify(session)
    }
  }
}
