import EventStoreCore
import EventStoreTesting
import Foundation
import Synchronization
import Testing

@testable import EventStoreSQLite

@Suite("Backups while others write", .timeLimit(.minutes(Trials.minutes(10))))
struct BackupWhileWritingTests {
  /// One copy, and what was known when it was begun and when it was there.
  private struct Copy: Sendable {
    let name: String
    let backup: SQLiteEventStore.Backup
    let before: Int64
    let after: Int64
  }

  @Test func each_is_the_store_as_it_was_at_one_moment() async throws {
    let copies = Mutex(0)
    let inside = Mutex(0)
    try await Trials(inSuite: 1, long: 60).run { seed in
      let crowd = try Crowd(threads: 6, sessions: 4, rounds: 40, seed: seed)
      let made = Mutex<[Copy]>([])
      var options = SQLiteEventStore.Options(synchronous: .normal)
      options.walLimit = 32
      try crowd.run(stores: 3, options: options, others: [{ try Self.copy(crowd, made) }])
      try crowd.requireNothingLost()
      let all = made.withLock { $0 }
      for copy in all { try Self.requirePrefix(copy, of: crowd.folder) }
      let last = try crowd.folder.store().newestPosition
      copies.withLock { $0 += all.count }
      inside.withLock { $0 += all.count { $0.backup.position.map { $0.rawValue < last } ?? true } }
    }
    try require(inside.withLock { $0 } > 0, "no copy was made while anybody wrote")
    Figures.note(
      "Concurrency", "backups while 6 threads write",
      [
        ("copies", copies.withLock { $0 }), ("made in the middle", inside.withLock { $0 }),
        ("that were no prefix", 0),
      ])
  }

  private static func copy(_ crowd: Crowd, _ made: borrowing Mutex<[Copy]>) throws {
    var store: SQLiteEventStore?
    defer { try? store?.close() }
    var number = 0
    while !crowd.isDone {
      let open = try store ?? crowd.folder.store("store.sqlite", .init(access: .readOnly))
      store = open
      number += 1
      let before = try open.newestPosition
      let backup = try open.backup(to: crowd.folder.file("copy-\(number)"))
      let copy = Copy(
        name: "copy-\(number)", backup: backup, before: before, after: try open.newestPosition)
      made.withLock { $0.append(copy) }
    }
  }

  /// Holds `copy` to the final log: all that was committed when it was begun, nothing that came when it
  /// was there, and of what lies between a prefix in the store's order.
  private static func requirePrefix(_ made: Copy, of folder: TemporaryFolder) throws {
    let copy = try folder.store(made.name, .init(access: .readOnly))
    let whole = try folder.store("store.sqlite", .init(access: .readOnly))
    defer {
      try? copy.close()
      try? whole.close()
    }
    try copy.requireVerified()
    let position = made.backup.position?.rawValue ?? 0
    try require(
      position >= made.before && position <= made.after,
      "the copy ends at commit \(position); it was begun at \(made.before), done at \(made.after)")
    let sessions = try copy.sessions()
    try require(
      sessions == Array(try whole.sessions().prefix(sessions.count)), "other sessions")
    var commits = 0
    for info in sessions {
      let tail = try copy.tail(of: info.id)
      let all = try whole.commits(of: info.id, after: .zero, limit: .max)
        .filter { $0.position.rawValue <= position }
      try require(
        all.last?.lastSeq ?? .zero == tail.version,
        "\(info.name) ends at \(tail.version), and at \(all.last?.lastSeq ?? .zero) in the store then"
      )
      try require(
        try whole.digest(of: info.id, at: tail.version) == tail.digest, "\(info.name) differs")
      commits += all.count
    }
    try require(Int64(commits) == position, "of \(position) commits \(commits) are there")
  }
}

extension SQLiteEventStore {
  /// The place of the newest commit, 0 without one.
  var newestPosition: Int64 {
    get throws {
      try readers.withReader {
        try $0.connection.first("SELECT ifnull(max(position), 0) FROM commits") { $0.integer(0) }
          ?? 0
      }
    }
  }
}
