import Foundation

/// Signals while the terminal is taken over: those that a screen must see wake its loop, and those
/// that kill the process put the terminal back first.
enum TerminalSignals {
  /// All that a signal handler may touch: plain memory, allocated once, never moved.
  private struct Shared {
    var original = termios()
    var input: Int32 = -1
    var output: Int32 = -1
    var wakeUpEnd: Int32 = -1
    var isEntered = false
    var leave: UnsafeMutablePointer<UInt8>
    var leaveCount = 0
  }

  /// `nonisolated(unsafe)`: written by the screen's thread before a handler is installed or while
  /// no crash is handled; a handler only reads it.
  private nonisolated(unsafe) static let shared: UnsafeMutablePointer<Shared> = {
    let text = Array(Terminal.leaveText.utf8)
    let leave = UnsafeMutablePointer<UInt8>.allocate(capacity: text.count)
    leave.initialize(from: text, count: text.count)
    let shared = UnsafeMutablePointer<Shared>.allocate(capacity: 1)
    shared.initialize(to: Shared(leave: leave, leaveCount: text.count))
    return shared
  }()

  /// Those that the loop acts upon.
  private static let watched = [SIGWINCH, SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT]
  /// Those that end the process on the spot.
  private static let deadly = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGQUIT, SIGSYS]

  /// Hands each watched signal to the pipe whose writing end is `wakeUpEnd`, as a byte with its
  /// number, and guards the terminal against the deadly ones.
  static func install(wakeUpEnd: Int32) {
    shared.pointee.wakeUpEnd = wakeUpEnd
    unblock(watched + deadly)
    for number in watched { handle(number, flags: SA_RESTART) { TerminalSignals.wake($0) } }
    for number in deadly {
      handle(number, flags: Int32(bitPattern: UInt32(SA_RESETHAND)) | SA_NODEFER) {
        TerminalSignals.die($0)
      }
    }
  }

  /// Leaves every signal to the system again.
  static func uninstall() {
    for number in watched + deadly { Foundation.signal(number, SIG_DFL) }
    shared.pointee.wakeUpEnd = -1
  }

  static func willEnter(_ original: termios, input: Int32, output: Int32) {
    shared.pointee.original = original
    shared.pointee.input = input
    shared.pointee.output = output
    shared.pointee.isEntered = true
  }

  static func didLeave() { shared.pointee.isEntered = false }

  /// Stops this process until somebody continues it. To this thread, so that it has stopped when
  /// the call returns.
  static func stop() {
    unblock([SIGTSTP])
    Foundation.signal(SIGTSTP, SIG_DFL)
    raise(SIGTSTP)
    handle(SIGTSTP, flags: SA_RESTART) { TerminalSignals.wake($0) }
  }

  /// Lets signals through to this thread, whatever the mask that the process was started with.
  private static func unblock(_ numbers: [Int32]) {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in numbers { sigaddset(&signals, number) }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  private static func handle(
    _ number: Int32, flags: Int32, _ handler: @escaping @convention(c) (Int32) -> Void
  ) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = handler
    action.sa_flags = flags
    sigaction(number, &action, nil)
  }

  /// Async-signal-safe: one write.
  private static func wake(_ number: Int32) {
    let saved = errno
    var byte = UInt8(truncatingIfNeeded: number)
    _ = Foundation.write(shared.pointee.wakeUpEnd, &byte, 1)
    errno = saved
  }

  /// Async-signal-safe: write, tcsetattr and raise are.
  private static func die(_ number: Int32) {
    if shared.pointee.isEntered {
      shared.pointee.isEntered = false
      _ = Foundation.write(
        shared.pointee.output, shared.pointee.leave, shared.pointee.leaveCount)
      tcsetattr(shared.pointee.input, TCSANOW, &shared.pointee.original)
    }
    // The handler was reset on entry: this time the signal does what it does.
    raise(number)
  }
}
