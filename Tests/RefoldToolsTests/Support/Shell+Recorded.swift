import EventStoreCore
import EventStoreSQLite
import Foundation

extension Shell {
  /// An event of a session that is written as it is.
  typealias Recorded = (kind: EventKind, cause: UInt32, milliseconds: Int64, payload: String)

  /// Writes a session into the store, event for event, so that its times are the same every time:
  /// milliseconds from 2026-11-30T08:15:00Z on.
  func record(_ name: String, reactor: String = "counter", _ events: [Recorded]) throws {
    let began: Int64 = 1_796_026_500_000_000
    let store = try SQLiteEventStore(path: self.store)
    let name = try SessionName(name)
    try store.transaction { transaction in
      let session =
        try transaction.session(named: name)
        ?? transaction.createSession(
          named: name, reactor: reactor, at: Timestamp(microseconds: began))
      let version = try transaction.tail(of: session.id).version
      if events.isEmpty { return }
      var batch = EventBatch()
      for (index, event) in events.enumerated() {
        let header = EventHeader(
          seq: version.advanced(by: index + 1) ?? version, kind: event.kind,
          cause: Seq(event.cause),
          recordedAt: Timestamp(microseconds: began + 1000 * event.milliseconds))
        batch.append(header, payload: Array(event.payload.utf8))
      }
      try transaction.append(
        batch, to: session.id, expecting: version, schemaVersion: 1)
    }
    try store.close()
  }

  /// A counter's session with something of everything: an effect that goes on and comes back after
  /// another action, one that fails, a mutation from outside, and idle time.
  static let counted: [Recorded] = [
    (.action, 0, 0, #"{"increase":{"by":2}}"#), (.mutation, 1, 0, #"{"add":{"_0":2}}"#),
    (.action, 0, 1250, #"{"increase":{"by":40}}"#), (.mutation, 3, 1250, #"{"add":{"_0":20}}"#),
    (.pending, 3, 1250, #"{"owner":1}"#), (.action, 0, 62_000, #""reset""#),
    (.mutation, 6, 62_000, #"{"setValue":{"_0":0}}"#),
    (.mutation, 3, 62_750, #"{"add":{"_0":20}}"#), (.completed, 3, 62_750, "{}"),
    (.mutation, 0, 3_700_000, #"{"add":{"_0":1}}"#), (.action, 0, 3_700_500, #""reset""#),
    (.failed, 11, 3_700_500, #"{"error":"no more","type":"CounterError"}"#),
  ]
}
