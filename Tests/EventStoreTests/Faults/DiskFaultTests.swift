import EventStoreCore
import EventStoreSQLite
import EventStoreTesting
import FaultyDisk
import Synchronization
import Testing

/// Each call to the disk fails once, and each from there on until the store was told so twice: the
/// error says what it was, nothing is half done, and the same store goes on when the fault is gone.
@Suite("A disk that fails", .timeLimit(.minutes(Trials.minutes(30))))
struct DiskFaultTests {
  /// A kind of call, and what the system says.
  struct Fault: Sendable, CustomTestStringConvertible {
    var call: DiskFault.Call
    var reason: DiskFault.Reason
    var testDescription: String { "\(call.rawValue), \(reason.rawValue)" }
  }

  static let faults: [Fault] = [
    Fault(call: .write, reason: .inputOutput), Fault(call: .write, reason: .noSpace),
    Fault(call: .sync, reason: .inputOutput), Fault(call: .sync, reason: .noSpace),
    Fault(call: .truncate, reason: .inputOutput), Fault(call: .delete, reason: .inputOutput),
    Fault(call: .open, reason: .inputOutput), Fault(call: .access, reason: .inputOutput),
    Fault(call: .size, reason: .inputOutput), Fault(call: .lock, reason: .inputOutput),
    Fault(call: .map, reason: .inputOutput), Fault(call: .map, reason: .noSpace),
    Fault(call: .shmLock, reason: .inputOutput),
    Fault(call: .read, reason: .inputOutput),
  ]

  @Test(arguments: faults) func loses_nothing_and_is_told(_ fault: Fault) async throws {
    let counts = Mutex(FaultLoop.Counts())
    try await Trials(inSuite: 1, long: 2).run { seed in
      for level in SQLiteEventStore.Synchronous.allCases {
        var loop = try FaultLoop(level, seed: seed, steps: 9)
        for lasts in [false, true] {
          try loop.run(fault.call, fault.reason, lasts: lasts, stride: Trials.isLong ? 1 : 29)
        }
        counts.withLock { counts in
          counts.runs += loop.counts.runs
          counts.failedCalls += loop.counts.failedCalls
          counts.errors += loop.counts.errors
          counts.acknowledged += loop.counts.acknowledged
        }
      }
    }
    let total = counts.withLock { $0 }
    Figures.note(
      "Faults", fault.testDescription,
      [
        ("runs", total.runs), ("failed calls", total.failedCalls), ("errors told", total.errors),
        ("commits", total.acknowledged), ("lost", 0),
      ])
    #expect(total.failedCalls > 0, "there is no such call")
  }

  /// A read that ends in the middle is a file that somebody has cut. What was made of it does not stay
  /// when the rest is back.
  @Test func what_a_read_in_half_gave_is_not_kept() throws {
    let (folder, model) = (try TemporaryFolder(), InMemoryEventStore())
    try SampleStore.fill(model)
    try SampleStore.make(in: folder)
    let expected = try StoreContents(of: model)
    var (number, failed, isOver) = (0, 0, false)
    while !isOver {
      number += 1
      let disk = try FaultyDisk(folder: folder.path, seed: 1)
      var options = SQLiteEventStore.Options(synchronous: .normal)
      options.vfs = disk.vfs
      let store = try folder.store("store.sqlite", options)
      disk.fail(DiskFault(.read, number: number, lasts: false, .short))
      do { _ = try StoreContents(of: store) } catch {
        failed += 1
        #expect(error is EventStoreError)
        #expect(try StoreContents(of: store) == expected, "after read \(number)")
      }
      isOver = disk.failedCalls == 0
      try store.close()
    }
    #expect(failed > 0)
  }
}
