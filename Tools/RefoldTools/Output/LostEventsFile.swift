import EventStoreSQLite
import Foundation
import JSONTree

/// The file of the events that a recovery put aside, made when there is one:
///
///     {"session":"s1","seq":9,"kind":"action","cause":0,"at":"2026-…Z","found":"whole","payload":{…}}
final class LostEventsFile {
  private let path: String
  private let console: Console
  private var file: OutputFile?
  private var isFinished = false

  /// A file at `path`, not made yet.
  init(_ path: String, _ console: Console) { (self.path, self.console) = (path, console) }

  /// Writes the line of `event`.
  /// - Throws: `Failure` where the file cannot be written.
  func write(_ event: LostEvent) throws {
    let file = try self.file ?? OutputFile(path, console)
    self.file = file
    file.output.write(Self.line(event))
    if file.output.hasFailed { try file.output.flush() }
  }

  /// Gives the file its name, unless there is one that has it.
  /// - Throws: `Failure`.
  func finish() throws {
    try file?.finish(isNew: true)
    isFinished = file != nil
  }

  /// Removes what was written.
  func abandon() {
    if isFinished { unlink(path) } else { file?.abandon() }
  }

  private static func line(_ event: LostEvent) -> [UInt8] {
    var line = JSONLine()
    line.member("session", event.session)
    line.member("seq", event.header.seq)
    line.member("kind", event.header.kind.name)
    line.member("cause", event.header.cause)
    line.member("at", event.header.recordedAt)
    if let id = event.deliveryID { line.member("id", id) }
    line.member("found", event.standing.rawValue)
    // What was altered need not be JSON any more.
    if (try? JSONValue(parsing: event.payload)) != nil {
      line.member("payload", json: event.payload.span.bytes)
    } else {
      line.member("text", String(decoding: event.payload, as: UTF8.self))
    }
    return line.finished()
  }
}
