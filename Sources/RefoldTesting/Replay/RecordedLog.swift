import EventStoreCore
import Foundation
import Refold

/// A recorded session that today's code is held to.
struct RecordedLog {
  /// Its name, as messages give it.
  let name: String
  let reactor: String
  /// Lends every event, oldest first.
  let forEachEvent: ((EventHeader, RawSpan) throws -> Void) throws -> Void
  /// States that were recorded beside the log; nil where there cannot be any.
  let snapshots: ValidSnapshots?
  /// Where forks begin in it.
  let cuts: [Seq]

  /// The session called `name` in `store`.
  ///
  /// - Throws: `SessionError.noSuchSession`; `EventStoreError`.
  init(session name: String, in store: any EventStore) throws {
    guard let info = try store.session(named: SessionName(name)) else {
      throw SessionError.noSuchSession(name)
    }
    self.name = name
    reactor = info.reactor
    forEachEvent = { try store.forEachEvent(of: info.id, $0) }
    snapshots = ValidSnapshots(of: info.id, in: store)
    cuts = try store.cuts(of: info)
  }

  /// The log in the file at `path`, checked whole. Keeps all of it in memory.
  ///
  /// - Throws: `LogFileError`; what reading the file throws.
  init(file path: String) throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    var rest = data[...]
    let nextLine: () -> [UInt8]? = {
      if rest.isEmpty { return nil }
      let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
      defer { rest = rest[end...].dropFirst() }
      return Array(rest[..<end])
    }
    var reader = try LogFileReader(name: path, nextLine: nextLine)
    var events = EventBatch()
    _ = try reader.readEvents { event, _ in events.append(event) }
    name = reader.header.session
    reactor = reader.header.reactor
    forEachEvent = { [events] body in try events.visit(body) }
    snapshots = nil
    cuts = []
  }
}
