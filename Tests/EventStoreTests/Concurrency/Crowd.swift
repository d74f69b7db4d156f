import EventStoreCore
import EventStoreTesting
import Foundation
import Synchronization

@testable import EventStoreSQLite

/// Threads that append to a few sessions of one store at once, through several store objects, which
/// exclude each other as processes do.
///
/// Each appends numbered events, so that afterwards nothing can be missing, twice or out of order
/// without being seen.
final class Crowd: Sendable {
  let folder: TemporaryFolder
  let sessions: Int
  let threads: Int
  let rounds: Int
  private let seed: UInt64
  private let events = Atomic(0)
  private let moved = Atomic(0)
  private let done = Atomic(0)

  /// How many events were appended.
  var appended: Int { events.load(ordering: .relaxed) }
  /// How often somebody else had appended since the version was read.
  var conflicts: Int { moved.load(ordering: .relaxed) }
  /// Whether all threads have done what they had to do.
  var isDone: Bool { done.load(ordering: .acquiring) == threads }

  init(threads: Int, sessions: Int, rounds: Int, seed: UInt64) throws {
    folder = try TemporaryFolder()
    (self.threads, self.sessions, self.rounds, self.seed) = (threads, sessions, rounds, seed)
  }

  /// Runs all threads, `stores` store objects among them, and `others` at their side; gives back when
  /// all have ended.
  func run(stores: Int, options: SQLiteEventStore.Options, others: [@Sendable () throws -> Void])
    throws
  {
    var options = options
    options.patience = 120
    let opened = try (0..<stores).map { _ in try folder.store("store.sqlite", options) }
    let writers = (0..<threads).map { index in
      { @Sendable in
        defer { self.done.add(1, ordering: .releasing) }
        try self.write(thread: index, in: opened[index % stores])
      }
    }
    try Together.run(writers + others)
    for store in opened { try store.close() }
  }

  private func write(thread: Int, in store: SQLiteEventStore) throws {
    var random = SeededGenerator(seed: seed &* 1000 &+ UInt64(thread))
    var next = 0
    for _ in 0..<rounds {
      let session = try open("s\(random.below(sessions))", in: store)
      let count = 1 + random.below(random.chance(0.1) ? 200 : 6)
      let payloads = (next..<next + count).map { "[\(thread),\($0)]" }
      if random.chance(0.5) {
        try store.transaction { transaction in
          let version = try transaction.tail(of: session).version
          try transaction.append(
            EventBatch(after: version, payloads.map { (.action, 0, $0) }), to: session,
            expecting: version, schemaVersion: 1)
        }
      } else {
        try appendAtVersion(payloads, to: session, in: store)
      }
      next += count
      events.add(count, ordering: .relaxed)
    }
  }

  /// The session called `name`, made by whoever comes first.
  private func open(_ name: String, in store: SQLiteEventStore) throws -> SessionID {
    let name = try SessionName(name)
    if let known = try store.session(named: name) { return known.id }
    return try store.transaction { transaction in
      if let known = try transaction.session(named: name) { return known.id }
      return try transaction.createSession(
        named: name, reactor: "counter", at: Timestamp(microseconds: 0)
      ).id
    }
  }

  /// Optimistic: appends at the version that it read, and reads again when that has moved.
  private func appendAtVersion(
    _ payloads: [String], to session: SessionID, in store: SQLiteEventStore
  ) throws {
    while true {
      let version = try store.tail(of: session).version
      let batch = EventBatch(after: version, payloads.map { (.action, 0, $0) })
      do {
        try store.append(batch, to: session, expecting: version, schemaVersion: 1)
        return
      } catch EventStoreError.versionConflict { moved.add(1, ordering: .relaxed) }
    }
  }

  /// Holds the store to all that the threads were told: every event once, each thread's in the order in
  /// which it appended them, sessions and commits without a gap, digests that hold.
  func requireNothingLost() throws {
    let store = try folder.store("store.sqlite", .init(access: .readOnly))
    defer { try? store.close() }
    try store.requireVerified()
    var byPosition: [(position: Int64, payloads: [String])] = []
    for info in try store.sessions() {
      var (reached, commit) = (
        Seq.zero, try store.commits(of: info.id, after: .zero, limit: .max)[...]
      )
      try store.forEachEvent(of: info.id) { header, payload in
        reached = Seq(reached.rawValue + 1)
        try require(header.seq == reached, "\(info.name): \(header.seq) stands at \(reached)")
        while let first = commit.first, first.lastSeq < header.seq { commit.removeFirst() }
        guard let place = commit.first else { throw BrokenPromise("\(reached) is in no commit") }
        if header.seq == place.firstSeq { byPosition.append((place.position.rawValue, [])) }
        let text = payload.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        byPosition[byPosition.count - 1].payloads.append(text)
      }
    }
    byPosition.sort { $0.position < $1.position }
    try require(
      byPosition.map(\.position) == Array(1...Int64(byPosition.count)), "positions have gaps")
    // Across sessions, too: what a thread appended later has a later place in the store's order.
    var next = Array(repeating: 0, count: threads)
    for text in byPosition.flatMap(\.payloads) {
      let numbers = text.dropFirst().dropLast().split(separator: ",").compactMap { Int($0) }
      try require(numbers.count == 2 && numbers[1] == next[numbers[0]], "\(text) is out of order")
      next[numbers[0]] += 1
    }
    try require(
      next.reduce(0, +) == appended, "of \(appended) events \(next.reduce(0, +)) are there")
  }
}

extension SQLiteEventStore {
  /// - Throws: `BrokenPromise` with what verify finds.
  func requireVerified() throws {
    let found = Mutex<[String]>([])
    try verify(nil) { finding in found.withLock { $0.append("\(finding)") } }
    let findings = found.withLock { $0 }
    try require(findings.isEmpty, "verify finds: \(findings)")
  }
}
