import CSQLite

extension Connection {
  /// Bounds what a file of somebody else's making can have SQLite do when its schema and rows are read
  /// (sqlite.org/security.html). Ours, and what people put beside it, stay far below.
  static let limits: [(option: Int32, value: Int32)] = [
    // The longest row: a payload of 512 MiB, and a little.
    (SQLITE_LIMIT_LENGTH, (1 << 29) + (1 << 20)),
    (SQLITE_LIMIT_SQL_LENGTH, 1 << 20),
    (SQLITE_LIMIT_EXPR_DEPTH, 200),
    (SQLITE_LIMIT_COMPOUND_SELECT, 50),
    (SQLITE_LIMIT_VDBE_OP, 100_000),
    (SQLITE_LIMIT_ATTACHED, 0),
    (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100),
    (SQLITE_LIMIT_TRIGGER_DEPTH, 1),
    (SQLITE_LIMIT_WORKER_THREADS, 0),
  ]

  /// Sets the limits; has the cells of each page looked at before they are used, and nothing mapped
  /// into memory, where a file that becomes shorter ends the process.
  func limitWhatFilesCanAsk(_ handle: OpaquePointer) throws {
    for (option, value) in Self.limits { sqlite3_limit(handle, option, value) }
    try execute("PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0")
  }
}
