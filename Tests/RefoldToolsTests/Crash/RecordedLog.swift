import EventStoreCore
import EventStoreSQLite
import EventStoreTesting
import Refold

/// A session as the store has it, read without the tool.
struct RecordedLog {
  let info: SessionInfo
  let events: [Event]
  let digest: Digest
  /// The actions whose effects the store holds for open, oldest first.
  let open: [OpenEffect]

  /// Every session of the store at `path`, by name; nothing where no process came so far as to make
  /// it. Also holds the whole store to its digests and to the rules of an append.
  static func all(in path: String) throws -> [String: RecordedLog] {
    let store: SQLiteEventStore
    do {
      store = try SQLiteEventStore(path: path, options: .init(access: .readOnly))
    } catch EventStoreError.noSuchStore, EventStoreError.notAStore {
      return [:]
    }
    defer { try? store.close() }
    var findings: [VerifyFinding] = []
    try store.verify(nil) { findings.append($0) }
    try require(findings.isEmpty, "the store does not verify: \(findings)")
    var logs: [String: RecordedLog] = [:]
    for info in try store.sessions() { logs[info.name.rawValue] = try RecordedLog(info, store) }
    return logs
  }

  /// The log of a session that is there.
  static func named(_ name: String, in path: String) throws -> RecordedLog {
    guard let log = try all(in: path)[name] else {
      throw BrokenPromise("there is no session \(name)")
    }
    return log
  }

  private init(_ info: SessionInfo, _ store: SQLiteEventStore) throws {
    self.info = info
    let tail = try store.tail(of: info.id)
    digest = tail.digest
    var (events, page) = ([Event](), EventBatch())
    while true {
      try store.read(
        info.id, after: events.last?.header.seq ?? .zero, through: tail.version, into: &page)
      if page.isEmpty { break }
      events += page.events
    }
    self.events = events
    open = try OpenEffects.of(info, in: store)
    for event in events where event.delivery != nil {
      let seq = try event.delivery.flatMap { try store.delivery($0.id, in: info.id)?.seq }
      try require(seq == event.header.seq, "delivery \(event.delivery?.id ?? "") is at \(event)")
    }
  }
}

extension Event {
  /// The payload as text.
  var text: String { String(decoding: payload, as: UTF8.self) }
}
