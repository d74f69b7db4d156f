extension EventStoreError {
  /// What is wrong with the content of the store, where somebody who only verifies it is told this
  /// error; nil where it is about the place, the system, or what was asked for.
  package var damage: String? {
    switch self {
    case .damaged(_, let reason): reason
    case .noSuchEvent(let session, let seq, let last):
      "session \(session) has no seq \(seq): it ends at \(last)"
    case .noSuchSession(let name): "there is no session \(name)"
    case .sessionExists, .invalidSessionName, .versionConflict, .invalidAppend, .sessionFull,
      .storeFull, .forkTooDeep:
      description
    case .sqlite(let code, let message, _, _):
      Self.codesOfContent.contains(code & 0xff) ? "SQLite: \(message)" : nil
    case .noSuchStore, .cannotOpen, .notAStore, .newerFormat, .networkFileSystem, .locked,
      .readOnly, .diskFull, .removed, .closed, .system:
      nil
    }
  }

  /// SQLITE_ERROR (a table that is missing or no table), SQLITE_TOOBIG, SQLITE_CONSTRAINT and
  /// SQLITE_MISMATCH (sqlite.org/rescode.html).
  private static let codesOfContent: [Int32] = [1, 18, 19, 20]

  /// What `body` gives, or nil where it meets damage, which is handed to `report`.
  /// - Throws: what `body` throws besides damage.
  package static func reportingDamage<T>(
    to report: (String) -> Void, in body: () throws -> T
  ) throws -> T? {
    do {
      return try body()
    } catch let error as EventStoreError {
      guard let problem = error.damage else { throw error }
      report(problem)
      return nil
    }
  }
}
