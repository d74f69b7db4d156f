import EventStoreCore

@testable import EventStoreSQLite

/// A connection of a tool that knows nothing of the store's rules.
final class RawDatabase {
  let connection: Connection

  init(_ path: String) throws {
    connection = try Connection(
      file: path, mode: .init(flags: 6, runsSchema: true), path: path, patience: 10)
  }

  deinit { connection.close() }

  /// Runs `sql`, which gives no rows.
  func run(_ sql: String) throws { try connection.execute(sql) }

  /// The first column of all rows, as text.
  func texts(_ sql: String) throws -> [String] { try connection.all(sql) { $0.text(0) ?? "NULL" } }

  /// The first column of the first row, as a number.
  func number(_ sql: String) throws -> Int64? { try connection.first(sql) { $0.integer(0) } }

  /// Drops the triggers that keep the log append-only.
  func dropTriggers() throws {
    for trigger in try texts("SELECT name FROM sqlite_schema WHERE type = 'trigger'") {
      try run("DROP TRIGGER \(trigger)")
    }
  }

  /// Puts back what `dropTriggers` dropped.
  func restoreTriggers() throws {
    for statement in Schema.statements where statement.hasPrefix("CREATE TRIGGER") {
      try run(statement)
    }
  }
}
