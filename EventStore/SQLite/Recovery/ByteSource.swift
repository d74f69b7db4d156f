/// Bytes that are read by offset.
protocol ByteSource {
  /// How many there are.
  var size: Int { get }

  /// The `count` bytes at `offset`, fewer at the end.
  /// - Throws: `EventStoreError`.
  func read(at offset: Int, count: Int) throws -> [UInt8]
}

/// The file of a connection, by the descriptor that SQLite has of it.
struct ConnectionFile: ByteSource {
  let size: Int
  private let connection: Connection

  /// The file of `connection`, which must be open as long as this is used.
  init(of connection: Connection) {
    self.connection = connection
    size = connection.fileSize
  }

  func read(at offset: Int, count: Int) throws -> [UInt8] {
    guard offset >= 0, offset < size else { return [] }
    return try connection.readFile(at: offset, count: min(count, size - offset))
  }
}
