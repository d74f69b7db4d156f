import Synchronization
import Testing

@testable import Refold

/// What happens 100,000 times at once does not deepen the stack, and leaves nothing behind.
@Suite("Long chains")
struct LongChainTests {
  static let length = 100_000
  let loop = TestLoop()

  /// How many elements `effect` gives at once, and how it ends.
  func count<Element>(_ effect: Effect<Element>) -> (elements: Int, end: String) {
    let seen = Mutex((elements: 0, end: "none"))
    let run = EffectRun(cause: 1, loop: loop)
    loop.perform {
      effect.begin(in: run.scope) { signal in
        seen.withLock { seen in
          switch signal {
          case .next: seen.elements += 1
          case .finished: seen.end = "finished"
          case .cancelled: seen.end = "cancelled"
          case .failed: seen.end = "failed"
          }
        }
        if signal.ending(as: Void.self) != nil { run.scope.cancel() }
      }
    }
    run.activate()
    #expect(loop.tasks.started == 0)
    return seen.withLock { $0 }
  }

  func expect<Element>(
    _ effect: Effect<Element>, gives elements: Int, _ end: String = "finished",
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let seen = count(effect)
    #expect(seen == (elements, end), sourceLocation: sourceLocation)
  }

  @Test func a_concat_of_many_parts() {
    let part = Effect.deferred { .just(1) }
    expect(.concat(Array(repeating: part, count: Self.length)), gives: Self.length)
  }

  @Test func a_concat_of_many_parts_with_one_id() {
    let part = Effect.deferred { .just(1) }.cancellable(id: "x")
    expect(.concat(Array(repeating: part, count: Self.length)), gives: Self.length)
  }

  @Test func a_merge_of_many_parts() {
    let part = Effect.deferred { .just(1) }
    expect(.merge(Array(repeating: part, count: Self.length)), gives: Self.length)
  }

  @Test func a_zip_of_many_parts() {
    let part = Effect.deferred { .just(1) }
    expect(.zip(Array(repeating: part, count: Self.length)), gives: 1)
  }

  @Test func a_zip_of_many_elements() {
    let source = Effect.from(0..<Self.length)
    expect(.zip(source, source.filter { $0.isMultiple(of: 2) }), gives: Self.length / 2)
    expect(.combineLatest(source, .just(1)), gives: 1)
    expect(.combineLatest(.just(1), source), gives: Self.length)
  }

  @Test func a_flat_map_of_many_elements() {
    let source = Effect.from(0..<Self.length)
    expect(source.flatMap { .just($0) }, gives: Self.length)
    expect(source.flatMap { element in .deferred { .just(element) } }, gives: Self.length)
    expect(source.flatMapLatest { element in .deferred { .just(element) } }, gives: Self.length)
  }

  @Test func a_retry_of_what_fails_at_once() {
    let attempts = Mutex(0)
    let failing = Effect<Int>.deferred {
      let attempt = attempts.withLock { attempts in
        attempts += 1
        return attempts
      }
      return attempt == Self.length ? .just(1) : .fail(MarbleError())
    }
    expect(failing.retry(.max), gives: 1)
    expect(Effect<Int>.fail(MarbleError()).retry(Self.length), gives: 0, "failed")
  }

  @Test func a_relay_that_answers_itself() {
    let relay = BehaviorRelay(0)
    let counting = relay.effect.do(onNext: { if $0 < Self.length { relay.accept($0 + 1) } })
    let seen = count(counting.prefix(Self.length))
    #expect(seen == (Self.length, "finished"))
  }
}
