import EventStoreCore
import EventStoreTesting
import Synchronization

@testable import Refold

/// A log of the trial reactor that is long enough for several snapshots.
enum LongLog {
  /// Between two snapshots: fewer than usual, so that tests are quick.
  static let events = 256

  /// What makes a session take a snapshot so often.
  static var options: SessionOptions {
    var options = SessionOptions()
    options.eventsBetweenSnapshots = events
    return options
  }

  /// Writes `count` additions to the new session `name`, in commits of many sizes, without a session
  /// that could take snapshots.
  static func record(
    _ count: Int, seed: UInt64 = 1, in store: any EventStore, named name: String = "s"
  ) throws -> SessionInfo {
    var random = SeededGenerator(seed: seed)
    let info = try store.transaction {
      try $0.createSession(
        named: SessionName(name), reactor: TrialReactor.name, at: Timestamp(microseconds: 0))
    }
    try append(count, to: info, in: store, &random)
    return info
  }

  /// Appends `count` additions.
  static func append(
    _ count: Int, to info: SessionInfo, in store: any EventStore, _ random: inout SeededGenerator
  ) throws {
    var version = try store.tail(of: info.id).version
    var left = count
    while left > 0 {
      var batch = EventBatch()
      for place in 1...min(left, 1 + random.below(100)) {
        let seq = Seq(version.rawValue + UInt32(place))
        let header = EventHeader(
          seq: seq, kind: .mutation, cause: .zero,
          recordedAt: Timestamp(microseconds: Int64(seq.rawValue)))
        batch.append(header, payload: Array(#"{"added":{"_0":\#(random.below(100))}}"#.utf8))
      }
      version = try store.append(
        batch, to: info.id, expecting: version, schemaVersion: 1
      ).lastSeq
      left -= batch.count
    }
  }

  /// Leaves the snapshots that opening the session would leave.
  static func leaveSnapshots(_ info: SessionInfo, in store: any EventStore) throws {
    var trail = SnapshotTrail(
      SnapshotShelf(TrialReactor(), info, in: store, leastEvents: events))
    try trail.follow()
    trail.save()
  }
}

extension TimeMachine {
  /// One that uses no snapshots.
  static func plain(_ reactor: R, _ info: SessionInfo, in store: any EventStore) -> TimeMachine {
    TimeMachine(reactor, info, in: store, foldID: { _ in nil })
  }
}

/// A store in front of another that counts what it is asked outside transactions.
final class CountedReads: Sendable {
  private let total = Mutex(0)

  var count: Int { total.withLock { $0 } }

  func store(_ inner: any EventStore) -> FaultyEventStore {
    FaultyEventStore(inner) { call in
      if call.operation == .read { self.total.withLock { $0 += 1 } }
      return nil
    }
  }
}
