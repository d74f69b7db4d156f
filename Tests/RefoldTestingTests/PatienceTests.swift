import Synchronization
import Testing

@testable import RefoldTesting

/// How long a test store waits, where nothing gets its turn.
@Suite("Patience", .timeLimit(.minutes(5)))
struct PatienceTests {
  @Test func is_over_once_everything_else_had_its_turns() async {
    let (turns, given) = AsyncStream.makeStream(of: (@Sendable () -> Void).self)
    let patience = Patience(.zero) { next in given.yield(next) }
    let isEnded = Mutex(false)
    patience.whenOver {
      isEnded.withLock { $0 = true }
      given.finish()
    }
    var count = 0
    for await next in turns {
      #expect(!patience.isOver && !isEnded.withLock { $0 })
      count += 1
      next()
    }
    #expect(count == Patience.parts && patience.isOver && isEnded.withLock { $0 })
  }

  @Test func that_is_over_ends_at_once_what_asks_then() async {
    let patience = Patience(.zero)
    await withCheckedContinuation { patience.whenOver($0.resume) }
    let isEnded = Mutex(false)
    patience.whenOver { isEnded.withLock { $0 = true } }
    #expect(isEnded.withLock { $0 })
  }

  @Test func ends_with_its_last_reference() async {
    let (turns, given) = AsyncStream.makeStream(of: (@Sendable () -> Void).self)
    weak var gone: Patience?
    do {
      let patience = Patience(.zero) { next in given.yield(next) }
      gone = patience
      withExtendedLifetime(patience) {}
    }
    #expect(gone == nil)
    given.finish()
    for await next in turns { next() }
  }
}
