import EventStoreCore
import EventStoreSQLite
import EventStoreTesting
import FaultyDisk

/// The same work on a disk with a fault, at one call after the other, until there are no more calls to
/// fail: after SQLite's own tests of I/O errors (sqlite.org/testing.html, section 3.2).
struct FaultLoop {
  /// What happened, for the figures.
  struct Counts {
    var runs = 0
    var failedCalls = 0
    var errors = 0
    var acknowledged = 0
  }

  private(set) var counts = Counts()
  private let steps: [WorkStep]
  private let level: SQLiteEventStore.Synchronous

  /// - Parameter seed: of the work.
  init(_ level: SQLiteEventStore.Synchronous, seed: UInt64, steps count: Int) throws {
    self.level = level
    var work = RandomWork(seed: seed)
    let model = InMemoryEventStore()
    steps = try (0..<count).map { index in
      let step = try work.next(for: model)
      try step.perform(on: model)
      return step
    }
  }

  /// Fails each call of the kind, from the first to the last, or of those behind the sixth each
  /// `stride`-th.
  /// - Throws: `BrokenPromise`, which names the fault.
  mutating func run(
    _ call: DiskFault.Call, _ reason: DiskFault.Reason, lasts: Bool, stride: Int
  ) throws {
    var (number, isOver) = (0, false)
    while !isOver {
      number += number < 6 ? 1 : stride
      let fault = DiskFault(call, number: number, lasts: lasts, reason)
      do {
        var run = FaultRun(level, steps, fault)
        try run.run()
        counts.runs += 1
        counts.failedCalls += run.failedCalls
        counts.errors += run.errors
        counts.acknowledged += steps.filter(\.isTransaction).count
        isOver = run.failedCalls == 0
      } catch {
        throw BrokenPromise("\(fault): \(error)")
      }
    }
  }
}

/// The work once, with one fault.
private struct FaultRun {
  private(set) var failedCalls = 0
  private(set) var errors = 0
  private let level: SQLiteEventStore.Synchronous
  private let steps: [WorkStep]
  private let fault: DiskFault
  private let model = InMemoryEventStore()
  private var store: SQLiteEventStore?

  init(_ level: SQLiteEventStore.Synchronous, _ steps: [WorkStep], _ fault: DiskFault) {
    self.level = level
    self.steps = steps
    self.fault = fault
  }

  mutating func run() throws {
    let (folder, after) = (try TemporaryFolder(), try TemporaryFolder())
    let disk = try FaultyDisk(folder: folder.path, seed: UInt64(fault.number))
    disk.fail(fault)
    defer {
      try? store?.close()
      store = nil
    }
    for (index, step) in steps.enumerated() {
      do { try take(step, folder, disk) } catch {
        throw BrokenPromise("step \(index + 1), \(step.name): \(error)")
      }
    }
    failedCalls = max(failedCalls, disk.failedCalls)
    disk.fail(nil)
    if level == .full {
      try disk.losePower(to: after.path)
      disk.restart()
      try store?.close()
      try check(after, "after a loss of power")
    } else {
      try store?.close()
    }
    store = nil
    try require(disk.openFiles == 0, "\(disk.openFiles) files are open after closing")
    try check(folder, "on the disk that had the fault")
  }

  private mutating func take(
    _ step: WorkStep, _ folder: TemporaryFolder, _ disk: FaultyDisk
  ) throws {
    if case .reopen = step {
      try store?.close()
      store = nil
    }
    try untilItWorks(folder, disk) { store in
      if case .checkpoint = step { try store.checkpoint() }
      try step.perform(on: store)
    }
    try step.perform(on: model)
    let expected = try StoreContents(of: model)
    try untilItWorks(folder, disk) { store in
      let found = try StoreContents(of: store)
      try require(
        found == expected, "there is \(found.summary), and all would be \(expected.summary)")
    }
  }

  /// Does `body`, once more after an error of the disk; after a second one the fault goes away, if
  /// it is one that lasts.
  private mutating func untilItWorks(
    _ folder: TemporaryFolder, _ disk: FaultyDisk, _ body: (SQLiteEventStore) throws -> Void
  ) throws {
    var attempts = 0
    while true {
      do {
        let store = try self.store ?? open(folder, disk)
        self.store = store
        return try body(store)
      } catch let error as EventStoreError {
        attempts += 1
        errors += 1
        failedCalls = max(failedCalls, disk.failedCalls)
        try require(failedCalls > 0 && fault.explains(error), "no error for this fault: \(error)")
        try require(attempts <= (fault.lasts ? 2 : 1), "the fault is gone, and still: \(error)")
        if attempts == 2 { disk.fail(nil) }
      }
    }
  }

  private func open(_ folder: TemporaryFolder, _ disk: FaultyDisk) throws -> SQLiteEventStore {
    var options = SQLiteEventStore.Options(synchronous: level, patience: 1)
    options.vfs = disk.vfs
    options.idleSeconds = 3600
    options.walLimit = 6
    return try folder.store("store.sqlite", options)
  }

  private func check(_ folder: TemporaryFolder, _ place: String) throws {
    let store = try folder.store()
    let (found, expected) = (try StoreContents(of: store), try StoreContents(of: model))
    try require(
      found == expected, "\(place) is \(found.summary), and all would be \(expected.summary)")
    try store.requireClean()
    try store.close()
  }
}

extension DiskFault {
  /// Whether `error` is what a store may say of it.
  fileprivate func explains(_ error: EventStoreError) -> Bool {
    switch error {
    case .diskFull: reason == .noSpace
    case .sqlite(let code, _, _, _): code & 0xff == 10
    case .cannotOpen: call == .open || call == .access || call == .map || call == .lock
    default: false
    }
  }
}

extension WorkStep {
  fileprivate var name: String {
    switch self {
    case .transaction(let changes): "a transaction of \(changes.count)"
    case .checkpoint: "a checkpoint"
    case .reopen: "opening again"
    }
  }
}
