import Dispatch
import EventStoreCore
import EventStoreSQLite
import Foundation
import Refold

/// The sessions that a run has open: one, or as many as its envelopes name.
final class RunSessions<R: Reactor> {
  /// An open session and what prints its commits.
  struct Live {
    let session: Session<R>
    let emitter: Emitter<R>
  }

  /// So many are open at most where they are idle: each holds a thread's worth of memory.
  private static var mostIdle: Int { 256 }

  private let entry: AnyReactor
  /// The reactor of the first session.
  private var firstReactor: R?
  private let plan: RunPlan
  private let store: SQLiteEventStore
  private let context: Context
  private let report: RunReport
  private var open: [SessionName: Live] = [:]
  private var standardName: SessionName?

  init(
    _ reactor: R, _ entry: AnyReactor, _ plan: RunPlan, _ store: SQLiteEventStore,
    _ context: Context, _ report: RunReport
  ) {
    firstReactor = reactor
    self.entry = entry
    self.plan = plan
    self.store = store
    self.context = context
    self.report = report
  }

  /// The session that `--session` names, else a new one.
  func standard() throws -> Live {
    let name: SessionName
    if let standardName {
      name = standardName
    } else if let given = plan.session {
      name = try given == "@last" ? context.newestSession(in: store).name : SessionName(given)
    } else {
      name = try createNew()
      context.console.complain("session \(Printable.line(name.rawValue))")
    }
    standardName = name
    return try session(called: name)
  }

  /// The session that an envelope names, else the standard one.
  ///
  /// - Throws: `BadLine` for a name that cannot be one, and for another reactor's session.
  func session(named name: String?) throws -> Live {
    guard let name else { return try standard() }
    do {
      return try session(called: SessionName(name))
    } catch let error as SessionError {
      if case .otherReactor = error { throw BadLine("\(error)") }
      throw error
    } catch EventStoreError.invalidSessionName(let name, let reason) {
      throw BadLine("\(EventStoreError.invalidSessionName(name, reason: reason))")
    }
  }

  /// Blocks until no effect goes on, `seconds` have passed, or a signal comes.
  func waitForEffects(seconds: Double?, _ signals: SignalTrap) {
    let done = DispatchSemaphore(value: 0)
    let group = DispatchGroup()
    for live in open.values {
      group.enter()
      live.session.when(.idle) { group.leave() }
    }
    group.notify(queue: .global()) { done.signal() }
    signals.whenSignalled { done.signal() }
    guard let seconds else { return done.wait() }
    _ = done.wait(timeout: .now() + seconds)
  }

  /// Closes every session: what goes on is cancelled, what was accepted becomes durable.
  func close() {
    for live in open.values { close(live.session) }
    open = [:]
  }

  private func close(_ session: Session<R>) {
    wait { done in
      Task { [report] in
        do {
          try await session.close()
        } catch {
          report.fail(error)
        }
        done()
      }
    }
  }

  private func session(called name: SessionName) throws -> Live {
    if let live = open[name] { return live }
    if open.count >= Self.mostIdle { closeIdle() }
    let reactor = try newReactor()
    let shown = plan.isEnvelope ? name.rawValue : nil
    let emitter = Emitter<R>(plan.emission, session: shown, context.console, report)
    var options = plan.sessionOptions
    options.secretKey = context.secretKey
    let label = Printable.line(name.rawValue)
    options.onSteps = { events, steps in emitter.committed(events, steps: steps) }
    if plan.emission == .acks {
      options.onAcknowledged = { acknowledged in
        for line in acknowledged { emitter.acknowledge(line: line.number, line.receipt) }
      }
    }
    options.onRefused = { [report] _, error in report.fail(error) }
    options.afterReplies = { [report] in report.flush() }
    options.onIssue = { [report] in report.note("session \(label): \($0)") }
    options.beforeStart = { [store] in try emitter.start(reactor, $0, in: store) }
    let session = try Session(reactor, named: name, in: store, options: options)
    tellInterrupted(session)
    let live = Live(session: session, emitter: emitter)
    open[name] = live
    return live
  }

  /// A reactor for one session: what it remembers of the world, a relay for instance, is not another
  /// session's.
  private func newReactor() throws -> R {
    if let first = firstReactor.take() { return first }
    guard let reactor = try entry.make(plan.settings) as? R else {
      throw Failure(.usage, "reactor \(R.name) is made as another type each time")
    }
    return reactor
  }

  private func closeIdle() {
    for (name, live) in open where live.session.isTrue(.idle) && name != standardName {
      close(live.session)
      open[name] = nil
    }
  }

  private func tellInterrupted(_ session: Session<R>) {
    guard plan.leavesInterrupted, !session.interrupted.isEmpty else { return }
    let seqs = session.interrupted.map { "\($0.cause)" }.joined(separator: ", ")
    report.note(
      "session \(Printable.line(session.info.name.rawValue)): interrupted effects of actions "
        + "\(seqs). Use --retry-interrupted to run them again, or --drop-interrupted to give them "
        + "up.")
  }

  /// Creates `REACTOR-N` with the first N that is free.
  private func createNew() throws -> SessionName {
    try store.transaction { transaction in
      var number = 1
      while true {
        let name = try SessionName("\(R.name)-\(number)")
        if try transaction.session(named: name) == nil {
          return try transaction.createSession(named: name, reactor: R.name, at: .now()).name
        }
        number += 1
      }
    }
  }
}
