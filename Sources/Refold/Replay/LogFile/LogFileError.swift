import EventStoreCore

/// Why a file cannot be read as a log, as one sentence without a full stop.
package enum LogFileError: Error, Sendable {
  /// There is nothing in it.
  case empty(file: String)
  /// Its first line is not that of a log.
  case notALog(file: String)
  /// It is a log, of a format that this version does not know.
  case unknownFormat(file: String)
  /// A line is not what it must be. `line` is 1-based.
  case wrongLine(file: String, line: Int, reason: String)
  /// It ends too early.
  case cutOff(file: String, after: Seq)
}

extension LogFileError: CustomStringConvertible {
  /// What is wrong with which file, and where.
  package var description: String {
    switch self {
    case .empty(let file): "\(file) is empty, not a log"
    case .notALog(let file):
      "\(file) is not a log: line 1 is not the header that export --as log writes"
    case .unknownFormat(let file):
      "\(file) has a format of logs that this version does not know"
    case .wrongLine(let file, let line, let reason): "\(file), line \(line): \(reason)"
    case .cutOff(let file, let seq):
      "\(file) ends after event \(seq) without its digest: it was cut off"
    }
  }
}
