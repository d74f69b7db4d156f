import EventStoreCore
import Foundation
import Refold

/// `replay` in a pipe: a line an event, and with `--follow` those that come later, until a signal.
struct ReplayLines {
  /// How often a session that is followed is looked at, in milliseconds.
  private static let pollInterval: Int32 = 100

  private let context: Context
  private let store: any EventStore
  private let session: SessionID
  private let trap: SignalTrap?

  /// Lines of the session `info`; with a `trap` it is followed.
  init(_ context: Context, _ store: any EventStore, _ info: SessionInfo, _ trap: SignalTrap?) {
    (self.context, self.store, session, self.trap) = (context, store, info.id, trap)
  }

  /// Prints what `line` appends for each event of `bounds`, and for each that follows.
  ///
  /// - Throws: `OutputClosed` where nobody reads any more, and what `line` throws.
  func print(
    _ bounds: PositionRange.Resolved,
    _ line: (EventHeader, RawSpan, _ lines: inout [UInt8]) throws -> Void
  ) throws -> ExitCode {
    let output = context.console.output
    var (reached, last) = (bounds.before, bounds.last)
    while true {
      try store.forEachEvent(of: session, after: reached, through: last) { header, payload in
        try output.write { try line(header, payload, &$0) }
        if output.hasFailed { try output.flush() }
      }
      guard let trap else { return .done }
      reached = last
      try output.flush()
      if let code = try wait(trap) { return code }
      last = try store.tail(of: session).version
    }
  }

  /// Waits for the next look, a signal, or the end of whoever reads us.
  /// - Returns: the exit code, where it is over.
  private func wait(_ trap: SignalTrap) throws -> ExitCode? {
    var polled = [
      pollfd(fd: trap.wakeUp, events: Int16(POLLIN), revents: 0),
      pollfd(fd: STDOUT_FILENO, events: 0, revents: 0),
    ]
    poll(&polled, 2, Self.pollInterval)
    if let signal = trap.signal { return signal == SIGTERM ? .terminated : .interrupted }
    if polled[1].revents & Int16(POLLERR) != 0 { throw OutputClosed() }
    return nil
  }
}
