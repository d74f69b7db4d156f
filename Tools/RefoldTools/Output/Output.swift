import Foundation
import Synchronization

/// Nobody reads our standard output any more.
struct OutputClosed: Error {}

/// Bytes on their way to a file descriptor, buffered until `flush`.
///
/// Where a terminal is at the other end, nothing is written that it would act on, whatever was given:
/// no command has to think of it. Text keeps its line feeds and colours; data keeps its line feeds.
///
/// Writing never fails by itself: what went wrong is kept, and `flush` throws it, at once and ever
/// after. May be used from several threads; each call's bytes stay together.
final class Output: Sendable {
  private let descriptor: Int32
  private let name: String
  private let isTerminal: Bool
  private let state = Mutex(State())
  private static let flushSize = 1 << 16

  private struct State {
    var buffer: [UInt8] = []
    var failure: (any Error)?
  }

  /// An output to `descriptor`, which messages call `name`.
  init(_ descriptor: Int32, name: String) {
    self.descriptor = descriptor
    self.name = name
    isTerminal = isatty(descriptor) == 1
  }

  /// Whether writing has failed, or nobody reads.
  var hasFailed: Bool { state.withLock { $0.failure != nil } }

  /// Writes text for people, which may be coloured.
  func write(_ text: String) {
    append(Array((isTerminal ? Printable.coloredLines(text) : text).utf8))
  }

  /// Writes JSON, or other data, of whole lines.
  func write(_ bytes: [UInt8]) { append(isTerminal ? Printable.json(bytes) : bytes) }

  /// Writes JSON, or other data, of whole lines: what `body` appends to the bytes it is given, which
  /// is nothing where it throws. It must not write to this output in another way.
  func write(appending body: (inout [UInt8]) throws -> Void) rethrows {
    try state.withLock { state in
      guard state.failure == nil else { return }
      let start = state.buffer.count
      do {
        try body(&state.buffer)
      } catch {
        state.buffer.removeSubrange(start...)
        throw error
      }
      if isTerminal {
        let lines = Printable.json(Array(state.buffer[start...]))
        state.buffer.replaceSubrange(start..., with: lines)
      }
      if state.buffer.count >= Self.flushSize { drain(&state) }
    }
  }

  private func append(_ bytes: [UInt8]) {
    state.withLock { state in
      guard state.failure == nil else { return }
      state.buffer.append(contentsOf: bytes)
      if state.buffer.count >= Self.flushSize { drain(&state) }
    }
  }

  /// Hands everything to the system.
  ///
  /// - Throws: `OutputClosed` where the reader has gone; `Failure` for another error.
  func flush() throws {
    try state.withLock { state in
      drain(&state)
      if let failure = state.failure { throw failure }
    }
  }

  private func drain(_ state: inout State) {
    var start = 0
    while start < state.buffer.count, state.failure == nil {
      let written = state.buffer.withUnsafeBytes { bytes in
        Foundation.write(descriptor, bytes.baseAddress?.advanced(by: start), bytes.count - start)
      }
      if written >= 0 {
        start += written
      } else if errno == EPIPE {
        state.failure = OutputClosed()
      } else if errno == EAGAIN {
        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&ready, 1, -1)
      } else if errno != EINTR {
        state.failure = Failure.system("write to", name)
      }
    }
    state.buffer.removeAll(keepingCapacity: true)
  }
}
