import EventStoreCore
import EventStoreSQLite
import Foundation
import Refold

/// What the screens may write: a state into a file, a fork into the store.
struct StateChores: Sendable {
  let storePath: String
  let patience: Double
  let console: Console

  /// Whether the store can be written to.
  var mayFork: Bool {
    let folder = URL(fileURLWithPath: storePath).deletingLastPathComponent().path
    return access(storePath, W_OK) == 0 && access(folder, W_OK) == 0
  }

  /// Writes `line`, the state at `seq`, into a new file.
  ///
  /// - Returns: what was done, in words.
  /// - Throws: `Failure`; also where there is such a file.
  func write(_ line: [UInt8], _ seq: Seq, _ path: String) throws -> String {
    try StoreFiles(storePath).refuse(path, as: "the file")
    if access(path, F_OK) == 0 {
      throw Failure(.usage, "\(Printable.line(path)) is there already. Choose another name.")
    }
    let file = try OutputFile(path, console)
    do {
      file.output.write(line)
      try file.finish()
    } catch {
      file.abandon()
      throw error
    }
    return "wrote the state at \(seq) to \(Printable.line(path))"
  }

  /// Makes the session `name`, which shares the past of `parent` up to `seq`. Effects that were
  /// running there are logged as cancelled, for they do not run in it.
  ///
  /// - Returns: what was done, in words.
  func fork(_ parent: SessionInfo, _ seq: Seq, _ name: String) throws -> String {
    let options = SQLiteEventStore.Options(patience: patience, access: .readWrite)
    let store = try SQLiteEventStore(path: storePath, options: options)
    defer { try? store.close() }
    _ = try Forking.fork(parent, at: seq, named: SessionName(name), in: store)
    return "session \(Printable.line(name)) shares the events up to \(seq)"
  }
}
