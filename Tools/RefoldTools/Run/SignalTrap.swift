import Dispatch
import Foundation
import Synchronization

/// SIGINT and SIGTERM while a command must not just die: the first one is noted and wakes whoever
/// waits, a second SIGINT ends the process at once.
final class SignalTrap: Sendable {
  /// Can be read once reading input should stop.
  let wakeUp: Int32
  private let wakeUpEnd: Int32
  private let state = Mutex(State())

  private struct State {
    var signal: Int32?
    var observers: [@Sendable () -> Void] = []
  }

  /// `@unchecked Sendable` because the sources are only kept alive here: nobody touches them once
  /// they have been resumed.
  private final class Sources: @unchecked Sendable {
    var all: [any DispatchSourceSignal] = []
  }

  private let sources = Sources()

  /// Takes over both signals.
  ///
  /// - Throws: `Failure` when the system has no pipe to give.
  init() throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Failure.system("create", "a pipe") }
    (wakeUp, wakeUpEnd) = (ends[0], ends[1])
    let queue = DispatchQueue(label: "refold.signals")
    for number in [SIGINT, SIGTERM] {
      Foundation.signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { [weak self] in self?.take(number) }
      source.resume()
      sources.all.append(source)
    }
  }

  /// The signal that came, if one did.
  var signal: Int32? { state.withLock { $0.signal } }

  /// Stops the reading of input without a signal.
  func wake() {
    var byte: UInt8 = 1
    _ = Foundation.write(wakeUpEnd, &byte, 1)
  }

  /// Calls `observer` when a signal comes; at once if one has.
  func whenSignalled(_ observer: @escaping @Sendable () -> Void) {
    let came = state.withLock { state in
      state.observers.append(observer)
      return state.signal != nil
    }
    if came { observer() }
  }

  private func take(_ number: Int32) {
    let (isFirst, observers) = state.withLock { state in
      defer { state.signal = state.signal ?? number }
      return (state.signal == nil, state.observers)
    }
    // A crash like any other: nothing that was acknowledged is lost.
    if !isFirst, number == SIGINT { _exit(128 + SIGINT) }
    wake()
    for observer in observers { observer() }
  }
}
