import EventStoreCore
import EventStoreTesting

@testable import Refold

// One simulation from its begin to its end.
extension Simulation {
  /// - Throws: `BrokenPromise` for the first promise that was broken.
  func run() throws {
    try open(.leave)
    for _ in 0..<settings.steps {
      try step()
      try afterStep()
    }
    try quietly {
      try settle()
      try closeAll()
      try endWhatIsLeft()
    }
    try checkEnd()
  }

  private func step() throws {
    if alive.isEmpty || (alive.count < settings.mostProcesses && random.chance(0.15)) {
      // Several at once, so that they find the same effects interrupted.
      for _ in alive.count..<(random.chance(0.5) ? settings.mostProcesses : alive.count + 1) {
        try open(random.pick([.leave, .retry, .drop]))
      }
      return
    }
    let process = random.pick(alive)
    if random.chance(settings.troubleChance) { return makeTrouble(for: process) }
    switch random.below(10) {
    case 0..<4:
      for _ in 0...random.below(3) where process.isOpen { submit(to: process) }
    case 4..<8: for _ in 0...random.below(4) { run(process) }
    case 8: if clock.wakeNext() { run(process) }
    default: tell(process)
    }
  }

  private func makeTrouble(for process: SimulatedProcess) {
    log.expectsCancellations = true
    switch random.below(4) {
    case 0: process.isDead = true
    case 1: process.close()
    default: process.fault = random.pick(SimulatedProcess.Fault.allCases)
    }
  }

  private func afterStep() throws {
    try throwBroken()
    for process in processes {
      if process.isDead {
        try quietly { try bury(process) }
      } else if process.hasStopped {
        process.close()
      }
      if process.isClosed { try quietly { try release(process) } }
    }
    try readLog()
    try throwBroken()
  }

  private func throwBroken() throws { if let broken { throw broken } }

  /// A process has died: it does what is left for it without anyone learning of it.
  private func bury(_ process: SimulatedProcess) throws {
    counts.crashes += 1
    log.expectsCancellations = true
    submissions.lose(process.number)
    process.isClosing = false
    process.close()
    while run(process) {}
    try release(process)
  }

  /// Lets go of a session that has closed.
  private func release(_ process: SimulatedProcess) throws {
    while run(process) {}
    try require(process.isClosed, "process \(process.number) does not come to its end")
    if !process.isDead {
      counts.closed += 1
      try submissions.checkClosed(process.number)
      if process.hasStopped { counts.failures += 1 } else { try checkClosed(process) }
    }
    process.observation = nil
    process.session = nil
    try require(
      process.released == nil, "the session of process \(process.number) stays in memory")
    processes.removeAll { $0 === process }
  }

  private func checkClosed(_ process: SimulatedProcess) throws {
    guard let session = process.session, let info else { return }
    try readLog()
    for event in try disk.openEffects(of: info.id) {
      try require(
        PendingPayload.owner(of: event) != session.owner,
        "a session closed, and left the effect of \(event.header.cause) open")
    }
    try checkState(session)
  }

  private func checkState(_ session: Session<Reactor>) throws {
    let (state, version) = session.durable.value
    try require(
      state == log.states[Int(version.rawValue)], "the state at \(version) is not what the log says"
    )
    try require(version == session.version, "the state is that at \(version)")
  }

  /// Runs everything to its end, and time to where nobody waits for it.
  func settle() throws {
    repeat {
      var goesOn = true
      while goesOn {
        goesOn = false
        for process in alive where run(process) { goesOn = true }
      }
      try afterStep()
    } while clock.wakeNext() || processes.contains { !$0.executor.isIdle }
    if alive.count == processes.count { try checkNothingIsStuck() }
  }

  private func checkNothingIsStuck() throws {
    guard let info else { return }
    for event in try disk.openEffects(of: info.id) {
      guard try disk.isAlive(PendingPayload.owner(of: event)),
        let action = log.actions[event.header.cause]
      else { continue }
      try require(
        action.programs.contains(where: \.mayNeverEnd),
        "the effect of action \(action.seq) never ends: \(action.programs)")
    }
    for process in alive where !process.isClosing {
      if let session = process.session { try checkState(session) }
    }
  }

  private func closeAll() throws {
    log.expectsCancellations = true
    for process in alive { process.close() }
    try settle()
    try require(
      processes.isEmpty, "\(processes.map(\.number)) do not close, though nothing is left to do")
  }

  /// One more process deals with what the others have left.
  private func endWhatIsLeft() throws {
    try open(random.chance(0.5) ? .retry : .drop)
    try settle()
    try closeAll()
    try readLog()
    try require(log.open.isEmpty, "no one ends the effects of \(log.open.map(\.seq))")
  }

  private func checkEnd() throws {
    guard let info else { return }
    try submissions.check(log)
    try require(try disk.openEffects(of: info.id).isEmpty, "the store has open effects")
    let tail = try disk.tail(of: info.id)
    try require(tail.version == log.version, "the log ends at \(tail.version)")
    var findings: [String] = []
    try disk.verify(info.id) { findings.append("\($0)") }
    try require(findings.isEmpty, "verify finds \(findings)")
    counts.events = log.headers.count
    counts.snapshots = try disk.snapshots(of: info.id).count
    try checkReplay(info)
  }

  /// The past, with the help of snapshots and without.
  private func checkReplay(_ info: SessionInfo) throws {
    let reactor = reactor(of: SimulatedProcess(0))
    for snapshot in [String?.none, "simulated"] {
      let machine = TimeMachine(reactor, info, in: disk) { _ in snapshot }
      for seq in [log.version, Seq(UInt32(random.below(log.states.count)))] {
        let state = try machine.state(at: seq)
        try require(
          state == log.states[Int(seq.rawValue)], "the state at \(seq) is not what the log says")
      }
    }
  }
}
