import EventStoreCore

extension SQLiteEventStore {
  /// As `EventStore.verify(_:report:)`; without a session also what concerns the whole file: SQLite's
  /// own structures, the schema's text, rows that belong to no session.
  public func verify(
    _ session: SessionID?, report: @escaping (VerifyFinding) -> Void
  ) throws {
    try readers.withReader { reader in
      // Nothing that was read before is believed.
      reader.forgetLineages()
      let verifier = try StoreVerifier(reader, report: report)
      defer { verifier.finish() }
      if session == nil { try verifier.verifyStructure() }
      try verifier.verifyLogs(session)
    }
  }
}
