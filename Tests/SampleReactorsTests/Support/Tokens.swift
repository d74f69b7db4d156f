import Foundation
import Refold
import SampleReactors
import Synchronization

extension AuthToken {
  /// A token whose access text is `name`.
  static func named(_ name: String, isAnonymous: Bool = false) -> AuthToken {
    AuthToken(
      access: Secret(name), refresh: Secret("refresh-\(name)"), isAnonymous: isAnonymous,
      expiresAt: Date(timeIntervalSince1970: 1_780_000_000))
  }
}

/// Holds whoever passes until the test opens it.
final class Barrier: Sendable {
  private struct State {
    var isOpen = false
    var arrivals = 0
    var held: [CheckedContinuation<Void, Never>] = []
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  /// How many have come so far.
  var arrivals: Int { state.withLock { $0.arrivals } }

  /// Returns when the barrier is open.
  func pass() async {
    await withCheckedContinuation { continuation in
      let (isOpen, seen) = state.withLock { state in
        state.arrivals += 1
        if !state.isOpen { state.held.append(continuation) }
        let arrivals = state.arrivals
        defer { state.watchers.removeAll { $0.count <= arrivals } }
        return (state.isOpen, state.watchers.filter { $0.count <= arrivals })
      }
      if isOpen { continuation.resume() }
      for watcher in seen { watcher.continuation.resume() }
    }
  }

  /// Returns when `count` have come.
  func arrived(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.arrivals >= count { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  /// Lets everybody pass, from now on.
  func open() {
    let held = state.withLock { state in
      state.isOpen = true
      defer { state.held = [] }
      return state.held
    }
    for continuation in held { continuation.resume() }
  }
}
