import CSQLite
import EventStoreCore

/// A prepared statement. Its values are bound, and its columns read, by byte count.
final class Statement {
  private var pointer: OpaquePointer?
  private let sql: String
  // The connection owns its statements and finalizes them before it goes.
  private unowned let connection: Connection

  /// Prepares `sql` on `connection`; `flags` are those of sqlite3_prepare_v3.
  init(_ sql: String, on connection: Connection, flags: UInt32) throws {
    self.sql = sql
    self.connection = connection
    pointer = try connection.prepared(sql, flags: flags)
  }

  deinit { finalize() }

  /// Frees the statement; using it afterwards throws `EventStoreError.closed`.
  func finalize() {
    sqlite3_finalize(pointer)
    pointer = nil
  }

  /// Runs the statement with `values`, for its effect.
  func run(_ values: SQLValue...) throws {
    defer { reset() }
    try bind(values)
    while try step() {}
  }

  /// What `read` makes of the first row, or nil where there is none.
  func first<T>(_ values: SQLValue..., read: (Statement) throws -> T) throws -> T? {
    try first(values, read: read)
  }

  func first<T>(_ values: [SQLValue], read: (Statement) throws -> T) throws -> T? {
    defer { reset() }
    try bind(values)
    return try step() ? try read(self) : nil
  }

  /// What `read` makes of each row.
  func all<T>(_ values: SQLValue..., read: (Statement) throws -> T) throws -> [T] {
    try all(values, read: read)
  }

  func all<T>(_ values: [SQLValue], read: (Statement) throws -> T) throws -> [T] {
    var rows: [T] = []
    try forEach(values) { rows.append(try read($0)) }
    return rows
  }

  /// Lends each row to `body`, which says whether to go on.
  func rows(_ values: SQLValue..., while body: (Statement) throws -> Bool) throws {
    defer { reset() }
    try bind(values)
    while try step() { guard try body(self) else { return } }
  }

  private func forEach(_ values: [SQLValue], _ body: (Statement) throws -> Void) throws {
    defer { reset() }
    try bind(values)
    while try step() { try body(self) }
  }

  /// Goes to the next row; false behind the last one.
  func step() throws -> Bool {
    switch sqlite3_step(try open) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw connection.error(code, sql: sql)
    }
  }

  /// Ends the run, and the read transaction with it.
  func reset() {
    // The result repeats the error of the last step, which has been thrown.
    if let pointer { _ = sqlite3_reset(pointer) }
  }

  private var open: OpaquePointer {
    get throws {
      guard let pointer else { throw EventStoreError.closed }
      return pointer
    }
  }
}

/// A value bound to a statement.
enum SQLValue {
  case integer(Int64)
  case text(String)
  case bytesAsText([UInt8])
  case blob([UInt8])
  case null
}

extension Statement {
  private func bind(_ values: [SQLValue]) throws {
    for (index, value) in values.enumerated() { try bind(Int32(index) + 1, value) }
  }

  private func bind(_ index: Int32, _ value: SQLValue) throws {
    switch value {
    case .integer(let number): try bind(index, number)
    case .text(var text):
      let pointer = try open
      try check(
        text.withUTF8 { refold_bind_text(pointer, index, $0.baseAddress, UInt64($0.count)) })
    case .bytesAsText(let bytes):
      let pointer = try open
      try check(
        bytes.withUnsafeBytes {
          refold_bind_text(pointer, index, $0.baseAddress, UInt64($0.count))
        })
    case .blob(let bytes):
      let pointer = try open
      try check(
        bytes.withUnsafeBytes {
          refold_bind_blob(pointer, index, $0.baseAddress, UInt64($0.count))
        })
    case .null: try check(sqlite3_bind_null(open, index))
    }
  }

  /// Binds a number to the 1-based parameter `index`.
  func bind(_ index: Int32, _ number: Int64) throws {
    try check(sqlite3_bind_int64(open, index, number))
  }

  /// Binds the five columns of an event to the parameters from the 1-based `index` on. Its payload
  /// must stay where it is until the statement is reset.
  func bind(
    from index: Int32, id: EventID, _ header: EventHeader, _ payload: UnsafeRawBufferPointer
  ) throws {
    try check(
      refold_bind_event(
        open, index, id.rawValue, Int64(header.kind.rawValue), Int64(header.cause.rawValue),
        header.recordedAt.microseconds, payload.baseAddress, UInt64(payload.count)))
  }

  /// The number in the 0-based `column`.
  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(pointer, column) }

  /// The bytes of the text or blob in `column`, good until the next step.
  func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
    // The pointer first: asking for it may convert the value, and the count is that of the result.
    let start = sqlite3_column_blob(pointer, column)
    return UnsafeRawBufferPointer(
      start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(pointer, column)))
  }

  /// The text in `column`, or nil where it is NULL, not text, or not UTF-8.
  func text(_ column: Int32) -> String? {
    guard isText(column) else { return nil }
    return String(validating: bytes(column), as: UTF8.self)
  }

  /// The digest in `column`, or nil where that is none.
  func digest(_ column: Int32) -> Digest? {
    guard sqlite3_column_type(pointer, column) == SQLITE_BLOB else { return nil }
    let bytes = bytes(column)
    return SealedDigest.sizes.contains(bytes.count) ? Digest(bytes: bytes.prefix(32)) : nil
  }

  /// The digest in `column` with the seal of its row, or nil where that is none.
  func sealedDigest(_ column: Int32) -> SealedDigest? {
    sqlite3_column_type(pointer, column) == SQLITE_BLOB ? SealedDigest(bytes(column)) : nil
  }

  /// Whether `column` holds an integer.
  func isInteger(_ column: Int32) -> Bool { sqlite3_column_type(pointer, column) == SQLITE_INTEGER }

  /// Whether `column` holds text.
  func isText(_ column: Int32) -> Bool { sqlite3_column_type(pointer, column) == SQLITE_TEXT }

  /// Whether `column` holds nothing.
  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(pointer, column) == SQLITE_NULL }

  private func check(_ code: Int32) throws {
    if code != SQLITE_OK { throw connection.error(code, sql: sql) }
  }
}
