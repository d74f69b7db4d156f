import Dispatch
import Foundation
import Synchronization

/// Threads that are all there at once, however few processors there are.
package enum Together {
  /// Runs `bodies`, each on a thread of its own, and comes back when all have ended.
  /// - Throws: `BrokenPromise` with all that they threw.
  package static func run(_ bodies: [@Sendable () throws -> Void]) throws {
    let failures = Mutex<[String]>([])
    let group = DispatchGroup()
    for body in bodies {
      group.enter()
      Thread {
        do { try body() } catch { failures.withLock { $0.append("\(error)") } }
        group.leave()
      }.start()
    }
    group.wait()
    let failed = failures.withLock { $0 }
    try require(failed.isEmpty, "threads failed: \(failed)")
  }
}
