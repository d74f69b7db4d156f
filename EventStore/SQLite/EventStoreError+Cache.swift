import EventStoreCore

extension EventStoreError {
  /// Whether the connection that met it may keep something wrong in its memory: a page that was read in
  /// part stays in SQLite's cache when the disk works again.
  var leavesCacheInDoubt: Bool {
    switch self {
    case .damaged, .notAStore, .sqlite: true
    case .noSuchSession, .noSuchEvent, .sessionExists, .invalidSessionName, .versionConflict,
      .invalidAppend, .forkTooDeep, .sessionFull, .storeFull, .noSuchStore, .fileExists, .inUse,
      .cannotOpen, .newerFormat, .networkFileSystem, .locked, .readOnly, .diskFull, .removed,
      .closed, .system:
      false
    }
  }
}
