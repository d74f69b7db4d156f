import Refold

extension LogFileReader {
  /// Reads the first line of `descriptor`, which messages call `name`.
  ///
  /// - Throws: `LogFileError` where this is no log; `Failure` when reading fails.
  init(_ descriptor: Int32, name: String) throws {
    var lines = LineReader(descriptor, name: name, limit: Self.longestLine)
    try self.init(name: name) {
      switch try lines.next() {
      case .line(_, let bytes): return bytes
      case .tooLong(let number):
        throw LogFileError.wrongLine(
          file: name, line: number, reason: "the line is longer than an event can be")
      case nil: return nil
      }
    }
  }
}

extension Failure {
  /// What a file that cannot be imported means for the command line.
  init(_ error: LogFileError) {
    switch error {
    case .empty, .notALog: self.init(.badInput, "\(error)")
    case .unknownFormat: self.init(.foreignStore, "\(error). Import it with a newer one.")
    case .wrongLine: self.init(.badInput, "\(error). Nothing was imported.")
    case .cutOff: self.init(.badInput, "\(error). Export it again.")
    }
  }
}
