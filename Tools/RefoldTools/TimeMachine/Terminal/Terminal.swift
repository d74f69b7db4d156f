import Foundation

/// The terminal in full-screen use: raw mode and the alternate screen while it is entered, and as it
/// was before once it is left, however that comes about.
///
/// Belongs to one thread. `TerminalSignals` puts the terminal back where the process dies.
final class Terminal {
  /// Where keys come from: standard input, or the controlling terminal where that is a file.
  let input: Int32
  private let output: Int32
  private let ownsInput: Bool
  private var original = termios()
  private(set) var isEntered = false
  /// Whether the terminal has gone: reading or writing failed for good.
  private(set) var isGone = false

  /// Alternate screen, no cursor, no wrapping at the last column, pastes in brackets.
  static let enterText = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?2004h\u{1B}[0m\u{1B}[2J"
  /// All of it undone.
  static let leaveText = "\u{1B}[0m\u{1B}[?2004l\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  /// The terminal on standard output; nil where there is none, it cannot move its cursor
  /// (`TERM=dumb`), or no keys can be read.
  init?() {
    let term = ProcessInfo.processInfo.environment["TERM"] ?? ""
    guard isatty(STDOUT_FILENO) == 1, term != "dumb" else { return nil }
    output = STDOUT_FILENO
    if isatty(STDIN_FILENO) == 1 {
      (input, ownsInput) = (STDIN_FILENO, false)
    } else {
      let device = open("/dev/tty", O_RDWR | O_CLOEXEC)
      guard device >= 0 else { return nil }
      (input, ownsInput) = (device, true)
    }
    guard tcgetattr(input, &original) == 0 else {
      if ownsInput { close(input) }
      return nil
    }
  }

  deinit {
    leave()
    if ownsInput { close(input) }
  }

  /// Columns and rows; 80 by 24 where the terminal does not say.
  var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(output, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return (80, 24)
    }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Takes the terminal over. Called again, it takes it over again: somebody else may have changed
  /// it while this process was stopped.
  func enter() {
    var raw = original
    raw.c_iflag &= ~tcflag_t(BRKINT | ICRNL | INPCK | ISTRIP | IXON | INLCR | IGNCR)
    raw.c_oflag &= ~tcflag_t(OPOST)
    raw.c_cflag |= tcflag_t(CS8)
    raw.c_lflag &= ~tcflag_t(ECHO | ICANON | IEXTEN | ISIG)
    withUnsafeMutableBytes(of: &raw.c_cc) { bytes in
      bytes[Int(VMIN)] = 0
      bytes[Int(VTIME)] = 0
    }
    TerminalSignals.willEnter(original, input: input, output: output)
    tcsetattr(input, TCSADRAIN, &raw)
    isEntered = true
    write(Self.enterText)
  }

  /// Gives the terminal back as it was.
  func leave() {
    guard isEntered else { return }
    isEntered = false
    write(Self.leaveText)
    // Keys that nobody read are not the shell's.
    tcsetattr(input, TCSAFLUSH, &original)
    TerminalSignals.didLeave()
  }

  /// Stops the process as Ctrl-Z does, with the terminal given back, and returns when it goes on.
  func suspend() {
    leave()
    TerminalSignals.stop()
    enter()
  }

  /// The bytes that are there; empty where there are none.
  func read() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = Foundation.read(input, &bytes, bytes.count)
    if count < 0, errno != EINTR, errno != EAGAIN { isGone = true }
    return count > 0 ? Array(bytes[..<count]) : []
  }

  /// Notes that the other end hung up.
  func noteHangUp() { isGone = true }

  func write(_ text: String) { write(Array(text.utf8)) }

  func write(_ bytes: [UInt8]) {
    var start = 0
    while start < bytes.count, !isGone {
      let written = bytes.withUnsafeBytes {
        Foundation.write(output, $0.baseAddress?.advanced(by: start), $0.count - start)
      }
      if written >= 0 {
        start += written
      } else if errno == EAGAIN {
        var ready = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
        poll(&ready, 1, -1)
      } else if errno != EINTR {
        isGone = true
      }
    }
  }
}
