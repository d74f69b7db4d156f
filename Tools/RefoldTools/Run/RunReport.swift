import Foundation
import Refold
import Synchronization

/// What becomes of the lines of a run, told by several threads: the command's own, which reads, and
/// the sessions' writers, which reply.
final class RunReport: Sendable {
  private let console: Console
  private let rejects: RejectsFile?
  private let stop: @Sendable () -> Void
  private let state = Mutex(State())
  /// Whether the run cannot go on, for `isOver`, which every line asks.
  private let ended = Atomic(false)

  private struct State {
    var rejected = 0
    var failure: (any Error)?
  }

  /// - Parameter stop: called when reading on is of no use.
  init(_ console: Console, rejects: RejectsFile?, stop: @escaping @Sendable () -> Void) {
    self.console = console
    self.rejects = rejects
    self.stop = stop
  }

  /// How many lines were not accepted.
  var rejected: Int { state.withLock { $0.rejected } }

  /// Whether the run cannot go on.
  var isOver: Bool { ended.load(ordering: .acquiring) }

  /// What ended the run, if something did.
  var failure: (any Error)? { state.withLock { $0.failure } }

  /// Notes that `line` was not accepted; `bytes` is nil where the rejects file has them already.
  func reject(line: Int, _ bytes: [UInt8]?, _ reason: String) {
    state.withLock { $0.rejected += 1 }
    console.complain("line \(line): \(reason)")
    do {
      if let bytes { try rejects?.add(bytes) }
    } catch {
      fail(error)
    }
  }

  /// Takes a piece of a line that is too long.
  func reject(piece: ArraySlice<UInt8>) throws { try rejects?.add(piece: piece) }

  /// Notes an effect that failed, or another thing that people should know of.
  func note(_ text: String) { console.complain(text) }

  /// Notes that the run cannot go on.
  func fail(_ error: any Error) {
    let isFirst = state.withLock { state in
      defer { state.failure = state.failure ?? error }
      return state.failure == nil
    }
    if isFirst { end() }
  }

  /// Hands what was written to whoever reads our output.
  func flush() {
    do {
      try console.output.flush()
    } catch is OutputClosed {
      // Nobody reads any more: what was accepted becomes durable, and that is the end.
      end()
    } catch {
      fail(error)
    }
  }

  private func end() {
    ended.store(true, ordering: .releasing)
    stop()
  }
}
