import BenchReport
import CLimit
import Foundation

/// What a C program does with a store.
enum Limit {
  /// What the log of session 1 in the store at `path` holds.
  static func scan(_ path: String) throws -> limit_log {
    var log = limit_log()
    try check(limit_scan(path, &log), "scan")
    return log
  }

  /// Deletes the snapshots of the store at `path`.
  static func forgetSnapshots(_ path: String) throws {
    try check(limit_forget_snapshots(path), "delete snapshots")
  }

  /// Appends `bytes` in `groups` pieces to a file at `path`, each durable before the next one.
  static func append(_ bytes: Int, groups: Int, to path: String) throws -> Sample {
    let watch = Stopwatch()
    let code = limit_append(path, Int64(bytes), Int64(groups))
    var sample = watch.stop()
    guard code == 0 else {
      throw BenchError.system(
        operation: "append to", path: path, reason: String(cString: strerror(code)))
    }
    sample.fileBytes = TemporaryFolder.bytes(of: path)
    return sample
  }

  /// Throws unless `code`, of the C limit, says that all is well.
  static func check(_ code: Int32, _ operation: String) throws {
    guard code == 0 else {
      throw BenchError.limit(operation: operation, reason: String(cString: limit_message(code)))
    }
  }
}

/// Events that a C program has in memory, to insert them again.
final class LimitRows {
  private let rows: OpaquePointer

  /// Those of session 1 in the store at `path`, beyond the event `seq`.
  init(of path: String, after seq: Int64 = 0) throws {
    var rows: OpaquePointer?
    let code = limit_load(path, seq, &rows)
    guard code == 0, let rows else {
      limit_free_rows(rows)
      throw BenchError.limit(operation: "load", reason: String(cString: limit_message(code)))
    }
    self.rows = rows
  }

  deinit { limit_free_rows(rows) }

  /// How many events there are.
  var count: Int { Int(limit_row_count(rows)) }

  /// In how many commits they were.
  var commits: Int { Int(limit_commit_count(rows)) }

  /// Inserts them into the store at `path`, commit by commit.
  func insert(into path: String, isFull: Bool = true) throws -> Sample {
    let watch = Stopwatch()
    try Limit.check(limit_insert_rows(path, rows, isFull), "insert")
    return watch.stop()
  }
}
