import Dispatch
import EventStoreCore
import Synchronization
import Testing

@Suite("A turn lock")
struct TurnLockTests {
  @Test("is not waited for longer than one is told")
  func limit() {
    let lock = TurnLock()
    #expect(lock.acquire(seconds: 0))
    #expect(!onAnotherThread { lock.acquire(seconds: 0) })
    #expect(!onAnotherThread { lock.acquire(seconds: 0.01) })
    lock.release()
    #expect(onAnotherThread { lock.acquire(seconds: 0) })
    lock.release()
    #expect(lock.acquire(seconds: nil))
  }

  @Test("lets one at a time in, and everybody in the end")
  func exclusion() {
    let lock = TurnLock()
    let inside = Atomic(0)
    let most = Mutex(0)
    let turns = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<500 {
        guard lock.acquire(seconds: 60) else { return }
        let now = inside.add(1, ordering: .sequentiallyConsistent).newValue
        most.withLock { $0 = max($0, now) }
        turns.withLock { $0 += 1 }
        inside.subtract(1, ordering: .sequentiallyConsistent)
        lock.release()
      }
    }
    #expect(most.withLock { $0 } == 1)
    #expect(turns.withLock { $0 } == 2000)
  }

  private func onAnotherThread(_ body: @escaping @Sendable () -> Bool) -> Bool {
    let answer = Atomic(false)
    let isOver = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      answer.store(body(), ordering: .sequentiallyConsistent)
      isOver.signal()
    }
    isOver.wait()
    return answer.load(ordering: .sequentiallyConsistent)
  }
}
