import Dispatch
import EventStoreCore
import EventStoreSQLite
import EventStoreTesting
import FaultyDisk
import Foundation
import Refold
import Synchronization

/// A session whose disk fails or loses its power, and whose sender sends again whatever was not
/// acknowledged, under the same id. Each action is there once, and the state is that of the log.
struct SessionOnDisk {
  /// What happened, for the figures.
  struct Counts {
    var ends = 0
    var faults = 0
    var acknowledged = 0
    var repeated = 0
  }

  private(set) var counts = Counts()
  private var random: SeededGenerator
  /// Action n adds n² and has the id cmd-n.
  private var sent = 0
  private var acknowledged: [Int: Seq] = [:]

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// - Throws: `BrokenPromise`; what the session throws while its disk works.
  mutating func run() throws {
    var folder = try Self.folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for _ in 0..<2 {
      let disk = try FaultyDisk(folder: folder, seed: random.next())
      if random.chance(0.5) {
        disk.stop(atChange: 1 + random.below(random.pick([80, 200, 400])))
        try live(in: folder, on: disk)
      } else {
        counts.faults += 1
        let call = random.pick([DiskFault.Call.write, .sync, .read])
        disk.fail(
          DiskFault(
            call, number: 1 + random.below(call == .sync ? 20 : 150), lasts: random.chance(0.5),
            random.pick([.inputOutput, .noSpace])))
        try live(in: folder, on: disk)
        disk.fail(nil)
        try live(in: folder, on: disk)
      }
      disk.stop()
      let next = try Self.folder()
      try disk.losePower(to: next)
      try FileManager.default.removeItem(atPath: folder)
      folder = next
      counts.ends += 1
    }
    try finish(in: folder)
  }

  private mutating func live(in folder: String, on disk: FaultyDisk) throws {
    var store: SQLiteEventStore?
    defer { try? store?.close() }
    do {
      let opened = try Self.store(folder, disk)
      store = opened
      let session = try wait { try await Session.open(Self.reactor, named: "s", in: opened) }
      try check(session.currentState.sum, in: opened)
      for _ in 0..<random.below(12) { try send(1 + random.below(sent + 2), to: session) }
      try wait { try await session.close() }
    } catch let error where !(error is BrokenPromise) {
      try require(disk.isStopped || disk.failedCalls > 0, "no error for this disk: \(error)")
    }
  }

  /// Sends action `number`, also when it was sent before.
  private mutating func send(_ number: Int, to session: Session<TrialReactor>) throws {
    let number = min(number, sent + 1)
    sent = max(sent, number)
    let receipt = try wait {
      try await session.send(.add(number * number), id: "cmd-\(number)")
    }
    if let seq = acknowledged[number] {
      counts.repeated += 1
      try require(
        receipt.seq == seq && receipt.isRepeated,
        "cmd-\(number), acknowledged as \(seq), is now \(receipt.seq)")
    } else {
      counts.acknowledged += 1
      acknowledged[number] = receipt.seq
    }
  }

  /// Holds `sum` to what of the actions is in the log, and the log to what was acknowledged.
  private func check(_ sum: Int, in store: SQLiteEventStore) throws {
    guard let session = try store.session(named: SessionName("s")) else {
      return try require(acknowledged.isEmpty, "the session is gone")
    }
    var expected = 0
    for number in 0..<sent + 1 where number > 0 {
      let seq = try store.delivery("cmd-\(number)", in: session.id)?.seq
      if seq != nil { expected += number * number }
      if let known = acknowledged[number] {
        try require(seq == known, "cmd-\(number) was acknowledged, and is not in the log")
      }
    }
    try require(sum == expected, "the state's sum is \(sum), that of the log \(expected)")
  }

  /// On a disk that works, all is sent once more, and then is there once.
  private mutating func finish(in folder: String) throws {
    let store = try Self.store(folder, nil)
    let session = try wait { try await Session.open(Self.reactor, named: "s", in: store) }
    try check(session.currentState.sum, in: store)
    for number in 0..<sent + 1 where number > 0 { try send(number, to: session) }
    let sum = (0...sent).map { $0 * $0 }.reduce(0, +)
    try require(
      session.currentState.sum == sum, "the sum is \(session.currentState.sum), not \(sum)")
    try wait { try await session.close() }
    var found: VerifyFinding?
    try store.verify(nil) { found = found ?? $0 }
    try require(found == nil, "verify found: \(found.map { "\($0)" } ?? "")")
    try store.close()
  }

  private static let reactor = TrialReactor()

  private static func store(_ folder: String, _ disk: FaultyDisk?) throws -> SQLiteEventStore {
    var options = SQLiteEventStore.Options()
    options.vfs = disk?.vfs
    options.idleSeconds = 3600
    options.walLimit = 8
    return try SQLiteEventStore(path: folder + "/store.sqlite", options: options)
  }

  private static func folder() throws -> String {
    var template = Array("\(NSTemporaryDirectory())/refold-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// What `body` gives, waited for on a thread of a trial's own.
private func wait<T: Sendable>(_ body: @escaping @Sendable () async throws -> T) throws -> T {
  let (ended, result) = (DispatchSemaphore(value: 0), Outcome<T>())
  Task {
    do {
      let value = try await body()
      result.value.withLock { $0 = .success(value) }
    } catch { result.value.withLock { $0 = .failure(error) } }
    ended.signal()
  }
  ended.wait()
  guard let result = result.value.withLock({ $0 }) else { throw CancellationError() }
  return try result.get()
}

private final class Outcome<T: Sendable>: Sendable {
  let value = Mutex<Result<T, any Error>?>(nil)
}
