import Foundation
import Synchronization

/// The process's standard output and error, and what is known of the terminal behind them.
final class Console: Sendable {
  let output: Output
  private let color = Mutex(false)
  private let progressIsShown = Mutex(false)

  /// A console that writes results to `output`.
  init(output: Output = Output(STDOUT_FILENO, name: "standard output")) { self.output = output }

  enum ColorChoice: String, CaseIterable {
    case auto, always, never
  }

  /// Whether output is coloured.
  var isColored: Bool { color.withLock { $0 } }

  /// Whether standard output is a terminal.
  let outputIsTerminal = isatty(STDOUT_FILENO) == 1

  /// Whether standard error is a terminal.
  var errorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  /// Columns of the terminal on standard output, nil where there is none.
  var width: Int? {
    guard outputIsTerminal else { return nil }
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  func setColor(_ choice: ColorChoice) {
    let environment = ProcessInfo.processInfo.environment
    let forbidden = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    let dumb = environment["TERM"] == "dumb"
    let isColored =
      switch choice {
      case .always: true
      case .never: false
      case .auto: outputIsTerminal && !forbidden && !dumb
      }
    color.withLock { $0 = isColored }
  }

  /// `text` in `style`, where output is coloured.
  func styled(_ text: String, _ style: Style) -> String {
    isColored ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }

  enum Style: Int {
    case bold = 1
    case dim = 2
    case red = 31
    case green = 32
    case yellow = 33
    case blue = 34
  }

  /// A line on standard error, whatever it quotes made fit for a terminal.
  func complain(_ message: String) {
    let clear = progressIsShown.withLock { shown in
      defer { shown = false }
      return shown
    }
    writeError((clear ? "\r\u{1B}[K" : "") + Printable.line(message) + "\n")
  }

  /// Replaces the line of progress on standard error by `text`; an empty one removes it.
  func showProgress(_ text: String) {
    progressIsShown.withLock { $0 = !text.isEmpty }
    writeError("\r\u{1B}[K" + text)
  }

  private func writeError(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
      if written > 0 { bytes = bytes.dropFirst(written) } else if errno != EINTR { return }
    }
  }
}
