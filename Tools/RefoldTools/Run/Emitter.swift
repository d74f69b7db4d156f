import EventStoreCore
import Refold
import Synchronization

/// What `run --emit` prints.
enum Emission: String, CaseIterable {
  case events, states, diffs, acks, none
}

/// Prints what one session commits. Called by its writer, one commit after the other.
final class Emitter<R: Reactor>: Sendable {
  private let emission: Emission
  /// The session's name where lines name it.
  private let shownSession: String?
  private let output: Output
  private let report: RunReport
  private let states = Mutex<StateEmission?>(nil)

  private struct StateEmission {
    var fold: Fold<R>
    var writer: StateLineWriter<R>
    let session: SessionID
    let store: any EventStore
  }

  init(_ emission: Emission, session: String?, _ output: Output, _ report: RunReport) {
    self.emission = emission
    self.output = output
    self.report = report
    shownSession = session
  }

  /// Takes the state of `session` as it is before the first commit.
  func start(_ reactor: R, _ session: SessionInfo, in store: any EventStore) throws {
    guard emission == .states || emission == .diffs else { return }
    let machine = TimeMachine(reactor, session, in: store)
    let fold = try machine.fold(through: machine.lastSeq)
    var writer = StateLineWriter<R>(diffs: emission == .diffs)
    if emission == .diffs { try writer.start(at: fold) }
    let start = StateEmission(fold: fold, writer: writer, session: session.id, store: store)
    states.withLock { $0 = start }
  }

  /// Writes the lines of a commit.
  func committed(_ commit: Commit, _ events: EventBatch) {
    switch emission {
    case .events:
      events.visit { header, payload in
        output.write(JSONLine.event(header, payload, session: shownSession).finished())
      }
    case .states, .diffs:
      do {
        try states.withLock { try emitStates(&$0, events) }
      } catch {
        report.fail(error)
      }
    case .acks, .none: break
    }
  }

  /// Writes the line that acknowledges an action.
  func acknowledge(line number: Int, _ receipt: Receipt) {
    guard emission == .acks else { return }
    var line = JSONLine()
    if let shownSession { line.member("session", shownSession) }
    line.member("line", number)
    line.member("seq", receipt.seq)
    line.member("version", receipt.version)
    output.write(line.finished())
  }

  /// A line after each action's first step, and after each later mutation.
  private func emitStates(_ states: inout StateEmission?, _ events: EventBatch) throws {
    guard var emission = states.take(), let first = events.headers.first else { return }
    defer { states = emission }
    let before = first.seq.previous
    // Another process may have appended in between.
    if emission.fold.seq < before {
      try emission.fold.advance(through: before, of: emission.session, in: emission.store)
    }
    var index = 0
    var action: Seq?
    try events.visit { header, payload in
      try emission.fold.apply(header, payload)
      index += 1
      if header.kind == .action { action = header.seq }
      let next = events.headers.indices.contains(index) ? events.headers[index] : nil
      let inFirstStep = header.seq == action || header.cause == action
      let stepGoesOn = inFirstStep && next.map { $0.kind != .action && $0.cause == action } == true
      if stepGoesOn || (!inFirstStep && header.kind != .mutation) { return }
      if !inFirstStep { action = nil }
      output.write(try emission.writer.line(for: emission.fold, session: shownSession))
    }
  }
}
