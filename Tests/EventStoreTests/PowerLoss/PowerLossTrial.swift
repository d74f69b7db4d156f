import EventStoreCore
import EventStoreSQLite
import EventStoreTesting
import FaultyDisk

/// A store's life on a disk whose power goes, again and again, and whose process is killed in between.
/// After each end the store must hold what it was to keep, as a model says.
struct PowerLossTrial {
  /// What happened, for the figures.
  struct Counts {
    var losses = 0
    var kills = 0
    var failedSyncs = 0
    var acknowledged = 0
    /// Acknowledged with synchronous NORMAL, and gone.
    var gone = 0
    /// Not acknowledged, and there.
    var extra = 0
    var disk = PowerLoss()
  }

  private(set) var counts = Counts()
  /// Whether the disk lies about what it has synced.
  var diskLies = false

  private let level: SQLiteEventStore.Synchronous
  private let walLimit: Int
  private var random: SeededGenerator
  private var work: RandomWork
  /// The transactions that the store acknowledged, and, after an end, those that it had kept.
  private var history: [WorkStep] = []
  /// The transaction that was not acknowledged before the end.
  private var inFlight: WorkStep?
  /// How many of `history` must be there whatever happens.
  private var durable = 0
  private var model = InMemoryEventStore()

  init(_ level: SQLiteEventStore.Synchronous, seed: UInt64) {
    self.level = level
    random = SeededGenerator(seed: seed)
    walLimit = random.pick([4, 10, 40, 1000])
    work = RandomWork(seed: random.next())
  }

  /// - Throws: `BrokenPromise`; what the store throws while its disk works.
  mutating func run() throws {
    var folder = try TemporaryFolder()
    for _ in 0..<random.pick([1, 2, 2, 3]) {
      let disk = try FaultyDisk(folder: folder.path, seed: random.next())
      disk.setLiesAboutSyncs(diskLies)
      try live(in: folder, on: disk, afterPowerLoss: true)
      while random.chance(0.3) {
        counts.kills += 1
        disk.restart()
        try live(in: folder, on: disk, afterPowerLoss: false)
      }
      folder = try TemporaryFolder()
      note(try disk.losePower(to: folder.path))
    }
    try check(folder)
  }

  private mutating func note(_ loss: PowerLoss) {
    counts.losses += 1
    counts.disk.unsynced += loss.unsynced
    counts.disk.lost += loss.lost
    counts.disk.torn += loss.torn
  }

  /// Works with the store until its disk stops.
  private mutating func live(
    in folder: TemporaryFolder, on disk: FaultyDisk, afterPowerLoss: Bool
  ) throws {
    disk.stop(atChange: 1 + random.below(random.pick([30, 100, 300, 1000])))
    // What a failed sync was to make durable, no later sync does.
    let fault = DiskFault(
      .sync, number: 1 + random.below(20), lasts: random.chance(0.3), .inputOutput)
    disk.fail(random.chance(0.3) ? fault : nil)
    defer { counts.failedSyncs += disk.failedCalls }
    var store: SQLiteEventStore?
    do {
      let opened = try onceMore(on: disk) { try self.open(folder, disk) }
      store = opened
      try settle(on: StoreContents(of: opened), areOnDisk: afterPowerLoss || level == .full)
      try work(with: opened, in: folder, on: disk, &store)
    } catch {
      guard disk.isStopped || disk.failedCalls > 0, error is EventStoreError else { throw error }
    }
    disk.stop()
    try? store?.close()
    store = nil
    try require(disk.openFiles == 0, "\(disk.openFiles) files are open after closing")
  }

  private mutating func work(
    with opened: SQLiteEventStore, in folder: TemporaryFolder, on disk: FaultyDisk,
    _ store: inout SQLiteEventStore?
  ) throws {
    var opened = opened
    for _ in 0..<random.below(30) {
      let step = try work.next(for: model)
      switch step {
      case .transaction:
        inFlight = step
        try onceMore(on: disk) { try step.perform(on: opened) }
        counts.acknowledged += 1
        inFlight = nil
        history.append(step)
        try step.perform(on: model)
        if level == .full { durable = history.count }
      case .checkpoint:
        try onceMore(on: disk) { try opened.checkpoint() }
        durable = history.count
      case .reopen:
        let failed = disk.failedCalls
        try opened.close()
        store = nil
        // Closing writes the WAL back, unless that fails, which it does not tell.
        if !disk.isStopped, disk.failedCalls == failed { durable = history.count }
        opened = try onceMore(on: disk) { try self.open(folder, disk) }
        store = opened
      }
    }
  }

  /// Does `body`, and again where the disk failed: what was told as failed has not happened.
  private func onceMore<T>(on disk: FaultyDisk, _ body: () throws -> T) throws -> T {
    do { return try body() } catch let error as EventStoreError {
      guard !disk.isStopped, disk.failedCalls > 0 else { throw error }
      return try body()
    }
  }

  private func open(
    _ folder: TemporaryFolder, _ disk: FaultyDisk?
  ) throws -> SQLiteEventStore {
    var options = SQLiteEventStore.Options(synchronous: level)
    options.vfs = disk?.vfs
    options.idleSeconds = 3600
    options.walLimit = walLimit
    return try folder.store("store.sqlite", options)
  }

  /// Finds out how far the store got, and holds it to what it promised.
  ///
  /// - Parameter areOnDisk: whether what is found now must be there after a loss of power too.
  private mutating func settle(on found: StoreContents, areOnDisk: Bool) throws {
    let steps = history + (inFlight.map { [$0] } ?? [])
    let replayed = InMemoryEventStore()
    var matching: Int?
    for count in 0...steps.count {
      if count > 0 { try steps[count - 1].perform(on: replayed) }
      if count >= durable, try replayed.sessions() == found.sessions,
        try StoreContents(of: replayed) == found
      {
        matching = count
      }
    }
    guard let matching else {
      throw BrokenPromise(
        "of \(history.count) transactions \(durable) had to be there"
          + "\(inFlight == nil ? "" : ", and one was under way"); there is \(found.summary), "
          + "and all would be \(try StoreContents(of: replayed).summary)")
    }
    counts.gone += max(0, history.count - matching)
    counts.extra += max(0, matching - history.count)
    history = Array(steps.prefix(matching))
    inFlight = nil
    if areOnDisk { durable = matching }
    model = InMemoryEventStore()
    for step in history { try step.perform(on: model) }
  }

  /// The store as the last loss of power left it, on a disk that works.
  private mutating func check(_ folder: TemporaryFolder) throws {
    let store = try open(folder, nil)
    try settle(on: StoreContents(of: store), areOnDisk: true)
    try store.requireClean()
    var step = try work.next(for: model)
    while !step.isTransaction { step = try work.next(for: model) }
    try step.perform(on: store)
    try step.perform(on: model)
    try store.close()
    let again = try open(folder, nil)
    try again.requireClean()
    try require(
      try StoreContents(of: again) == StoreContents(of: model), "what came after it is not there")
    try again.close()
  }
}

extension PowerLossTrial.Counts {
  static func + (left: Self, right: Self) -> Self {
    var sum = left
    sum.losses += right.losses
    sum.kills += right.kills
    sum.failedSyncs += right.failedSyncs
    sum.acknowledged += right.acknowledged
    sum.gone += right.gone
    sum.extra += right.extra
    sum.disk.unsynced += right.disk.unsynced
    sum.disk.lost += right.disk.lost
    sum.disk.torn += right.disk.torn
    return sum
  }
}
