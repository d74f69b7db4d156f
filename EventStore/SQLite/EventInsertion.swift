import CSQLite
import EventStoreCore

/// The statements that insert events, prepared once.
///
/// Of a row's cost in a statement of its own, a third is beginning and ending that statement: so they
/// go in by the dozens where there are as many.
struct EventInsertion {
  /// Rows in a statement: with more of them nothing is gained.
  static let rowsAtOnce = 32

  private let one: Statement
  private let many: Statement

  init(_ connection: Connection) throws {
    one = try Self.prepare(rows: 1, on: connection)
    many = try Self.prepare(rows: Self.rowsAtOnce, on: connection)
  }

  private static func prepare(rows: Int, on connection: Connection) throws -> Statement {
    let values = repeatElement("(?, ?, ?, ?, ?)", count: rows).joined(separator: ", ")
    return try connection.prepare(
      "INSERT INTO events(id, kind, cause, recorded_at, payload) VALUES \(values)")
  }

  /// Inserts the events of `batch` in the name of `session`.
  func insert(_ batch: EventBatch, _ session: SessionID) throws {
    try batch.withUnsafeEvents { events in
      var index = 0
      while events.count - index >= Self.rowsAtOnce {
        try insert(events, index..<index + Self.rowsAtOnce, session, by: many)
        index += Self.rowsAtOnce
      }
      while index < events.count {
        try insert(events, index..<index + 1, session, by: one)
        index += 1
      }
    }
  }

  private func insert(
    _ events: EventBatch.UnsafeEvents, _ range: Range<Int>, _ session: SessionID,
    by statement: Statement
  ) throws {
    defer { statement.reset() }
    var parameter: Int32 = 1
    for index in range {
      let header = events.headers[index]
      try statement.bind(
        from: parameter, id: EventID(session, header.seq), header, events.payload(at: index))
      parameter += 5
    }
    _ = try statement.step()
  }
}
