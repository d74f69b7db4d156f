import Foundation
import Synchronization

/// The connections that are open, and the threads that serve them.
final class Connections: Sendable {
  private struct State {
    var isClosed = false
    var count = 0
    var open: [Int: Descriptor] = [:]
  }

  private let state = Mutex(State())
  private let threads = DispatchGroup()

  /// More would be a mistake of whoever connects; they are closed at once.
  private static let maximumCount = 512

  /// Runs `body` on a thread of its own.
  func thread(_ body: @escaping @Sendable () -> Void) {
    threads.enter()
    Thread.detachNewThread { [threads] in
      body()
      threads.leave()
    }
  }

  /// Serves a client's `socket` on a thread of its own, and closes it then.
  func open(_ socket: Descriptor, serve: @escaping @Sendable (Int) -> Void) {
    let number = state.withLock { state -> Int? in
      guard !state.isClosed, state.open.count < Self.maximumCount else { return nil }
      state.count += 1
      state.open[state.count] = socket
      return state.count
    }
    guard let number else { return socket.close() }
    thread { [self] in
      serve(number)
      socket.close()
      state.withLock { $0.open[number] = nil }
    }
  }

  /// Ends every connection; none is accepted any more.
  func close() {
    let sockets = state.withLock { state in
      state.isClosed = true
      return Array(state.open.values)
    }
    for socket in sockets { socket.shutDown() }
  }

  /// Returns when every thread has ended.
  func ended() async {
    await withCheckedContinuation { continuation in
      threads.notify(queue: .global()) { continuation.resume() }
    }
  }
}
