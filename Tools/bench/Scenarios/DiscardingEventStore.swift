import EventStoreCore
import Foundation
import Synchronization

/// A store that forgets what is appended: it costs nothing, so that what is left is the runtime.
///
/// It knows each session and where its log ends, and holds appends to that. Events cannot be read
/// back: asking for some that were appended is an error. Digests are those of empty logs.
final class DiscardingEventStore: EventStore {
  fileprivate struct Content {
    var sessions: [SessionInfo] = []
    var tails: [Tail] = []
    var position: Int64 = 0
    var newest: SessionID?
  }

  private let content = Mutex(Content())
  private let writers = TurnLock()
  private let pause: Duration

  /// An empty store.
  ///
  /// - Parameter pause: how long a commit takes at least, without using a processor, as one to a disk
  ///   does. Where it takes no time, a sender that is slower than the writer wakes it for every few
  ///   actions: then it is that which is measured.
  init(pause: Duration = .zero) { self.pause = pause }

  func sessions() throws -> [SessionInfo] { current.sessions }

  func session(named name: SessionName) throws -> SessionInfo? { current.session(named: name) }

  func newestSession() throws -> SessionInfo? {
    let content = current
    return try content.newest.map { content.sessions[try content.index(of: $0)] }
      ?? content.sessions.last
  }

  func tail(of session: SessionID) throws -> Tail { try current.tail(of: session) }

  func read(
    _ session: SessionID, after seq: Seq, through last: Seq, payloads: PayloadChoice,
    into page: inout EventBatch
  ) throws {
    try current.read(session, after: seq, through: last, into: &page)
  }

  func commits(of session: SessionID, after seq: Seq, limit: Int) throws -> [Commit] {
    if limit > 0 { try current.requireNothing(in: session, after: seq) }
    return []
  }

  func digest(of session: SessionID, at seq: Seq) throws -> Digest {
    let content = current
    let tail = try content.tail(of: session)
    guard seq <= tail.version else { throw try content.lost(session, seq) }
    return tail.digest
  }

  func seq(of session: SessionID, at time: Timestamp) throws -> Seq {
    try current.requireNothing(in: session, after: .zero)
    return .zero
  }

  /// None: an effect that goes on is not remembered, so that only synchronous actions may be sent.
  func openEffects(of session: SessionID) throws -> [Event] {
    _ = try current.index(of: session)
    return []
  }

  func delivery(_ id: String, in session: SessionID) throws -> RecordedDelivery? {
    _ = try current.index(of: session)
    return nil
  }

  func snapshot(
    of session: SessionID, atOrBefore seq: Seq, foldID: String
  ) throws -> Snapshot? { nil }

  func nextSnapshot(
    of session: SessionID, after place: SnapshotPlace?
  ) throws -> Snapshot? { nil }

  func save(_ snapshot: Snapshot, of session: SessionID) throws {}

  func transaction<T>(_ body: (any EventStoreTransaction) throws -> T) throws -> T {
    try writers.withLock(seconds: nil, orThrow: EventStoreError.closed) {
      let transaction = DiscardingTransaction(current)
      let result = try body(transaction)
      content.withLock { $0 = transaction.content }
      if pause > .zero { usleep(UInt32(pause / .microseconds(1))) }
      return result
    }
  }

  func claimOwnership() throws -> any OwnerToken { DiscardingOwner() }

  func isAlive(_ owner: UInt64) throws -> Bool { false }

  func close() throws {}

  private var current: Content { content.withLock { $0 } }
}

private final class DiscardingOwner: OwnerToken {
  let owner = OwnerNumbers.random()
}

private final class DiscardingTransaction: EventStoreTransaction {
  var content: DiscardingEventStore.Content

  init(_ content: DiscardingEventStore.Content) { self.content = content }

  func session(named name: SessionName) throws -> SessionInfo? { content.session(named: name) }

  func tail(of session: SessionID) throws -> Tail { try content.tail(of: session) }

  func read(
    _ session: SessionID, after seq: Seq, through last: Seq, into page: inout EventBatch
  ) throws {
    try content.read(session, after: seq, through: last, into: &page)
  }

  func delivery(_ id: String, in session: SessionID) throws -> RecordedDelivery? { nil }

  func save(_ snapshot: Snapshot, of session: SessionID) throws {}

  func createSession(
    named name: SessionName, reactor: String, at time: Timestamp
  ) throws -> SessionInfo {
    guard content.session(named: name) == nil else { throw EventStoreError.sessionExists(name) }
    let info = SessionInfo(
      id: SessionID(Int32(content.sessions.count + 1)), name: name, reactor: reactor,
      createdAt: time, parent: nil)
    content.sessions.append(info)
    content.tails.append(
      Tail(
        version: .zero, recordedAt: time, digest: LogDigest(reactor: reactor).digest,
        payloadBytes: 0))
    return info
  }

  func openEffects(of session: SessionID) throws -> [Event] { [] }

  func fork(
    _ parent: SessionID, at seq: Seq, named name: SessionName, created time: Timestamp
  ) throws -> SessionInfo { throw try content.lost(parent, seq) }

  func append(
    _ batch: EventBatch, to session: SessionID, expecting version: Version, schemaVersion: Int
  ) throws -> Commit {
    let index = try content.index(of: session)
    let tail = content.tails[index]
    guard tail.version == version else {
      throw EventStoreError.versionConflict(expected: version, actual: tail.version)
    }
    guard let first = batch.headers.first, let last = batch.headers.last,
      first.seq == version.advanced(by: 1), last.seq == version.advanced(by: batch.count)
    else {
      throw EventStoreError.invalidAppend(
        session: content.sessions[index].name.rawValue, reason: "seqs are not the next ones")
    }
    content.tails[index].version = last.seq
    content.tails[index].recordedAt = last.recordedAt
    content.tails[index].payloadBytes += Int64(batch.byteCount)
    content.position += 1
    content.newest = session
    return Commit(
      position: Position(content.position), session: session, firstSeq: first.seq,
      lastSeq: last.seq, schemaVersion: schemaVersion, digest: tail.digest)
  }
}

extension DiscardingEventStore.Content {
  fileprivate func session(named name: SessionName) -> SessionInfo? {
    sessions.first { $0.name == name }
  }

  fileprivate func index(of session: SessionID) throws -> Int {
    let index = Int(session.rawValue) - 1
    guard sessions.indices.contains(index) else {
      throw EventStoreError.noSuchSession("number \(session.rawValue)")
    }
    return index
  }

  fileprivate func tail(of session: SessionID) throws -> Tail { tails[try index(of: session)] }

  fileprivate func read(
    _ session: SessionID, after seq: Seq, through last: Seq, into page: inout EventBatch
  ) throws {
    page.removeAll()
    if seq < last { try requireNothing(in: session, after: seq) }
  }

  fileprivate func requireNothing(in session: SessionID, after seq: Seq) throws {
    guard try tail(of: session).version <= seq else { throw try lost(session, seq) }
  }

  fileprivate func lost(_ session: SessionID, _ seq: Seq) throws -> EventStoreError {
    .noSuchEvent(
      session: sessions[try index(of: session)].name.rawValue, seq: seq, last: .zero)
  }
}
