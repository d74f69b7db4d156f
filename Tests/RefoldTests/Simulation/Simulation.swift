import EventStoreCore
import EventStoreTesting
import RefoldTesting

@testable import Refold

/// A store, processes that have a session of one name open, time, and what goes wrong, all of it in
/// one thread and in an order that the seed chooses.
///
/// Threads are simulated by doing something else in the middle of what one does: while an action is
/// decided, in front of a transaction, while senders are told.
final class Simulation: @unchecked Sendable {
  // Touched by the thread that made it alone, which runs every piece of work itself.

  typealias Reactor = SimulatedReactor

  let settings: SimulationSettings
  let clock = TestClock()
  let disk: InMemoryEventStore
  var random: SeededGenerator
  var processes: [SimulatedProcess] = []
  var submissions = Submissions()
  var log: LogModel
  var counts = SimulationCounts()
  /// The first promise that was broken where nothing can be thrown.
  var broken: (any Error)?
  var info: SessionInfo?
  private(set) var opened = 0
  private var actions = 0
  /// How many things happen in the middle of others now.
  private var depth = 0
  private var decided: Set<Int> = []
  /// Whether nothing happens in the middle of others.
  private var isQuiet = false

  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    settings = SimulationSettings(&random)
    self.random = random
    log = LogModel(settings.shape)
    let owners = OwnerCounter()
    disk = InMemoryEventStore { owners.next() }
  }

  /// The processes that have a session.
  var alive: [SimulatedProcess] { processes.filter { $0.session != nil && !$0.isDead } }

  func nextAction(parent: Int? = nil) -> Reactor.Action {
    actions += 1
    return Reactor.Action(
      id: actions, seed: random.next(),
      size: parent == nil ? 1 + random.below(settings.largestProgram) : 2, parent: parent)
  }

  /// Does `body`, and notes what it throws.
  func noting(_ body: () throws -> Void) {
    do { try body() } catch { if broken == nil { broken = error } }
  }

  /// Reads what is new in the log.
  func readLog() throws {
    guard let info else { return }
    try log.read(info.id, in: disk)
  }
}

// What happens in the middle of something else.
extension Simulation {
  enum Place {
    case deciding
    case transaction
    case reply
  }

  /// How often something may happen in the middle of something else: a batch that is decided again and
  /// again may have more sent each time, without an end.
  private static let mostInTheMiddle = 200

  func meanwhile(_ place: Place, _ process: SimulatedProcess) {
    guard !isQuiet, depth < 2, counts.inTheMiddle < Self.mostInTheMiddle,
      random.chance(place == .transaction ? 0.3 : 0.08)
    else { return }
    depth += 1
    defer { depth -= 1 }
    counts.inTheMiddle += 1
    for _ in 0...random.below(3) {
      switch random.below(10) {
      case 0..<4:
        if let open = processes.filter(\.isOpen).randomElement(using: &random) { submit(to: open) }
      case 4..<8:
        guard let other = alive.randomElement(using: &random) else { break }
        run(other, tasksOnly: !mayRunQueues(of: other, at: place))
      case 8: _ = clock.wakeNext()
      default: tell(process)
      }
    }
  }

  /// Whether a commit of `process` may be written in the middle of something: no thread waits for
  /// another one here, neither for the store's lock nor for the loop of a session.
  private func mayRunQueues(of process: SimulatedProcess, at place: Place) -> Bool {
    if processes.contains(where: \.isInTransaction) { return false }
    if process.decisions == 0 { return true }
    guard let session = process.session, !settings.shape.decidesUnderLock else { return false }
    // A commit that finds nothing changed does not need the loop.
    let version = info.flatMap { try? disk.tail(of: $0.id).version }
    return alive.count == 1 && !settings.usesDeliveries && version == session.version
  }

  func quietly(_ body: () throws -> Void) rethrows {
    let before = isQuiet
    isQuiet = true
    defer { isQuiet = before }
    try body()
  }
}

// What a process does.
extension Simulation {
  /// Opens the session in a new process.
  func open(_ policy: SessionOptions.InterruptedPolicy) throws {
    opened += 1
    let process = SimulatedProcess(opened)
    processes.append(process)
    let store = process.store(disk) { [unowned self, unowned process] in
      meanwhile(.transaction, process)
    }
    var options = settings.options
    options.interrupted = policy
    options.execution = process.executor.execution
    options.now = { [unowned self] in now() }
    options.onCommit = { [unowned self, unowned process] commit, _ in
      counts.commits += 1
      if !process.isDead { noting { try readLog() } }
      process.isInTransaction = false
    }
    let reactor = reactor(of: process)
    let session = try Session(
      reactor, named: SessionName("s"), in: store, options: options)
    (process.session, process.released) = (session, session)
    info = session.info
    if policy == .retry { for effect in session.interrupted { log.mayBeRetried(effect.cause) } }
    if !session.interrupted.isEmpty { counts.interrupted += session.interrupted.count }
    // Ids belong to one session: an action of another process does not cancel.
    if alive.count > 1 { log.expectsCancellations = true }
    watch(session, in: process)
  }

  func reactor(of process: SimulatedProcess) -> Reactor {
    Reactor(shape: settings.shape, clock: clock, relay: process.relay) {
      [unowned self, unowned process] id in
      if !decided.insert(id).inserted { counts.decidedAgain += 1 }
      process.decisions += 1
      meanwhile(.deciding, process)
      process.decisions -= 1
    } send: { [unowned self, weak process] id in
      guard let process, !process.isDead, let session = process.session else { return }
      counts.sentByEffects += 1
      session.enqueue(nextAction(parent: id))
    }
  }

  private func now() -> Timestamp {
    let elapsed = clock.now.offset / .microseconds(1)
    // Now and then a clock is set back.
    let error = random.chance(0.1) ? -random.below(5000) : random.below(10)
    return Timestamp(microseconds: 1_700_000_000_000_000 + Int64(elapsed) + Int64(error))
  }

  private func watch(_ session: Session<Reactor>, in process: SimulatedProcess) {
    let last = SeenState()
    process.observation = session.observe { [unowned self, unowned process] state in
      if process.isDead { return }
      noting {
        try readLog()
        try require(
          state.count < log.hashes.count && log.hashes[state.count] == state.hash,
          "an observer saw a state that the log does not have: \(state)")
        try require(state.isShown == settings.shape.marksStates, "a state passed no transform")
        try require(last.count <= state.count, "an observer saw an older state again: \(state)")
        last.count = state.count
      }
    }
  }

  /// Runs one piece of the work of `process`.
  /// - Returns: false where nothing waits.
  @discardableResult
  func run(_ process: SimulatedProcess, tasksOnly: Bool = false) -> Bool {
    guard let work = process.executor.next(tasksOnly: tasksOnly, &random) else { return false }
    counts.pieces += 1
    process.run(work)
    return true
  }

  /// Its relay says something.
  func tell(_ process: SimulatedProcess) {
    if settings.shape.mergesRelay, process.isOpen { process.relay.accept(random.below(100)) }
  }
}

/// The highest state that an observer has seen.
private final class SeenState: @unchecked Sendable {
  // Touched by the simulation's thread alone.
  var count = 0
}

/// Numbers of owners that come again with the seed.
private final class OwnerCounter: @unchecked Sendable {
  // Touched by the simulation's thread alone.
  private var last = OwnerNumbers.range.lowerBound

  func next() -> UInt64 {
    last += 1
    return last
  }
}
