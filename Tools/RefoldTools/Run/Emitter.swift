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
  private let console: Console
  private let report: RunReport
  private let states = Mutex<StateEmission?>(nil)

  private struct StateEmission {
    var fold: Fold<R>
    var writer: StateLineWriter<R>
    let session: SessionID
    let store: any EventStore
  }

  init(_ emission: Emission, session: String?, _ console: Console, _ report: RunReport) {
    self.emission = emission
    self.console = console
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

  /// Writes the lines of a commit; `steps` are the numbers of events of its steps.
  func committed(_ events: EventBatch, steps: [Int]) {
    switch emission {
    case .events:
      console.output.write { lines in
        events.visit { JSONLine.append($0, $1, session: shownSession, to: &lines) }
      }
    case .states, .diffs:
      do {
        try states.withLock { try emitStates(&$0, events, steps) }
      } catch {
        report.fail(error)
      }
    case .acks, .none: break
    }
  }

  /// Writes a line for each action that is acknowledged.
  func acknowledge(_ acknowledged: [Acknowledgement]) {
    guard emission == .acks else { return }
    console.output.write { lines in
      for one in acknowledged {
        JSONLine.append(to: &lines) { line in
          if let shownSession { line.member("session", shownSession) }
          line.member("line", one.number)
          line.member("seq", one.receipt.seq)
          line.member("version", one.receipt.version)
        }
      }
    }
  }

  /// A line after each action's first step, and after each later mutation.
  private func emitStates(
    _ states: inout StateEmission?, _ events: EventBatch, _ steps: [Int]
  ) throws {
    guard var emission = states.take(), let first = events.headers.first else { return }
    defer { states = emission }
    // Another process may have appended in between.
    let isBehind = emission.fold.seq < first.seq.previous
    if isBehind {
      try emission.fold.advance(
        through: first.seq.previous, of: emission.session, in: emission.store)
    }
    var steps = steps[...]
    var left = 0
    var isFirstStep = false
    var isUnchanged = !isBehind
    try events.visit { header, payload in
      try emission.fold.apply(header, payload)
      if header.kind == .mutation { isUnchanged = false }
      while left == 0, let count = steps.popFirst() {
        left = count
        isFirstStep = header.kind == .action
      }
      left -= 1
      guard isFirstStep ? left == 0 : header.kind == .mutation else { return }
      try console.output.write { lines in
        try emission.writer.append(
          emission.fold, isUnchanged: isUnchanged, session: shownSession, to: &lines)
      }
      isUnchanged = true
    }
  }
}
