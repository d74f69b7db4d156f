import EventStoreCore
import EventStoreTesting
import Foundation
import Testing

@testable import EventStoreSQLite

/// The first bytes of a -wal say how all others are read; SQLite takes the rest for nothing where they are
/// damaged.
@Suite("The beginning of a -wal that is damaged", .timeLimit(.minutes(5)))
struct WALHeaderTests {
  struct Change: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let apply: @Sendable (inout [UInt8]) -> Void
  }

  static let changes = [
    Change(testDescription: "the order of bytes") { $0[3] ^= 1 },
    Change(testDescription: "the magic number") { $0[1] ^= 0x10 },
    Change(testDescription: "the page size") { $0[10] ^= 0x20 },
    Change(testDescription: "another page size") { $0[9] ^= 1 },
    Change(testDescription: "the salts") { $0[17] ^= 4 },
    Change(testDescription: "the whole header") {
      $0.replaceSubrange(..<32, with: repeatElement(0, count: 32))
    },
    Change(testDescription: "the header and that of the first frame") {
      $0.replaceSubrange(..<56, with: repeatElement(0, count: 56))
    },
  ]

  private let frame = 24 + 4096
  private let eventCount = 6
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The files of a new store with one session of three events, all of it in the -wal.
  private func newStore() throws -> (file: [UInt8], wal: [UInt8]) {
    let store = try folder.store("new.sqlite")
    defer { try? store.close() }
    let session = try store.createSession("s1")
    try store.append(EventBatch(actions: 3, after: .zero), to: session)
    #expect(try store.allEvents(of: session).count == eventCount)
    let read = { (name: String) in Array(try Data(contentsOf: URL(fileURLWithPath: name))) }
    return (try read(folder.file("new.sqlite")), try read(folder.file("new.sqlite") + "-wal"))
  }

  private func write(_ file: [UInt8], _ wal: [UInt8]) throws -> String {
    let path = folder.file("damaged.sqlite")
    for suffix in ["-shm", "-lock"] { unlink(path + suffix) }
    try Data(file).write(to: URL(fileURLWithPath: path))
    try Data(wal).write(to: URL(fileURLWithPath: path + "-wal"))
    return path
  }

  private func requireRefused(_ path: String, _ what: String) {
    let error = #expect(throws: EventStoreError.self, "\(what)") {
      try SQLiteEventStore(path: path).createSession("other")
    }
    if let error { #expect("\(error)".contains("its -wal file is damaged"), "\(what): \(error)") }
  }

  @Test(arguments: changes)
  func costs_nothing_that_lies_in_it(_ change: Change) throws {
    var (file, wal) = try newStore()
    change.apply(&wal)
    let path = try write(file, wal)
    requireRefused(path, change.testDescription)
    let recovery = try StoreRecovery(of: path, reactors: ["counter"]) { _ in nil }
    var outcome: RecoveredSession?
    try recovery.run(
      into: InMemoryEventStore(), bringAside: { _ in }, report: { outcome = $0 })
    #expect(outcome?.name == "s1" && outcome?.isWhole == true, "\(String(describing: outcome))")
    #expect(outcome?.events == eventCount)
  }

  @Test func is_not_written_over_whichever_page_of_the_tables_is_damaged() throws {
    let (file, wal) = try newStore()
    let frames = wal.count / frame
    let end = try #require(
      (0..<frames).first { index in
        wal[(32 + index * frame + 4)..<(32 + index * frame + 8)].contains { $0 != 0 }
      }, "no transaction ends in the -wal")
    for index in 0...end {
      var damaged = wal
      damaged[32 + index * frame + 24 + 2000] ^= 1
      requireRefused(try write(file, damaged), "frame \(index)")
    }
  }
}
