import Dispatch
import EventStoreCore
import Foundation

/// The full-screen time machine: a model, and the terminal that it is shown on.
struct TimeMachineScreen {
  /// How long an escape byte may wait for the rest of its sequence, in milliseconds.
  private static let escapeWait = 40

  let terminal: Terminal
  let wakeUp: WakeUp
  let model: TimeMachineModel
  private var painter: ScreenPainter
  private var decoder = KeyDecoder()

  init(_ terminal: Terminal, _ wakeUp: WakeUp, _ model: TimeMachineModel, isColored: Bool) {
    (self.terminal, self.wakeUp, self.model) = (terminal, wakeUp, model)
    painter = ScreenPainter(isColored: isColored)
  }

  /// Microseconds of a clock that only goes forward.
  static func now() -> Int64 { Int64(DispatchTime.now().uptimeNanoseconds / 1000) }

  /// Shows the model until it is left, and gives the terminal back, also where this throws.
  mutating func run() throws -> ExitCode {
    terminal.enter()
    defer { terminal.leave() }
    while true {
      try model.tick()
      try show()
      try waitForSomething()
      if let code = try takeSignals() { return code }
      try takeKeys()
      if let code = fulfil(model.wish) { return code }
      if terminal.isGone { return .hungUp }
    }
  }

  private mutating func show() throws {
    let size = terminal.size
    let bytes = painter.paint(try model.draw(columns: size.columns, rows: size.rows))
    if !bytes.isEmpty { terminal.write(bytes) }
  }

  private func waitForSomething() throws {
    var polled = [
      pollfd(fd: terminal.input, events: Int16(POLLIN), revents: 0),
      pollfd(fd: wakeUp.readingEnd, events: Int16(POLLIN), revents: 0),
    ]
    let escape = decoder.isWaiting ? Self.escapeWait : nil
    let wait = [model.wait, escape].compactMap { $0 }.min() ?? -1
    let ready = poll(&polled, 2, Int32(clamping: wait))
    if ready < 0, errno != EINTR { throw Failure.system("wait for", "the terminal") }
    let isOver = polled[0].revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0
    if isOver, polled[0].revents & Int16(POLLIN) == 0 { terminal.noteHangUp() }
  }

  /// - Returns: the exit code, where a signal ends the screen.
  private mutating func takeSignals() throws -> ExitCode? {
    let signals = wakeUp.signals()
    if signals.contains(SIGTERM) { return .terminated }
    if signals.contains(SIGHUP) { return .hungUp }
    if signals.contains(SIGINT) { return .interrupted }
    if signals.contains(SIGTSTP) {
      suspend()
    } else if signals.contains(SIGCONT) {
      // Stopped behind our back: nobody knows what was done to the terminal.
      terminal.enter()
      painter.forget()
    }
    return nil
  }

  private mutating func takeKeys() throws {
    let bytes = terminal.read()
    let keys = bytes.isEmpty && decoder.isWaiting ? decoder.flush() : decoder.keys(bytes)
    for key in keys where model.wish == nil { try model.press(key) }
  }

  /// - Returns: the exit code, where the wish is to end.
  private mutating func fulfil(_ wish: TimeMachineModel.Wish?) -> ExitCode? {
    model.wish = nil
    switch wish {
    case .quit: return .done
    case .interrupt: return .interrupted
    case .suspend: suspend()
    case .redraw: painter.forget()
    case nil: break
    }
    return nil
  }

  private mutating func suspend() {
    terminal.suspend()
    painter.forget()
  }
}
