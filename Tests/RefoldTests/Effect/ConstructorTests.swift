import Synchronization
import Testing

@testable import Refold

@Suite("Constructors")
struct ConstructorTests {
  let stage = Marbles()

  @Test func give_at_once_what_they_have() async {
    await Marbles().expect(.empty, "|")
    await Marbles().expect(.just("a"), "(a|)")
    await Marbles().expect(.of("a", "b"), "(ab|)")
    await Marbles().expect(.from(["a", "b"]), "(ab|)")
    await Marbles().expect(.fail(MarbleError()), "#")
    await Marbles().expect(.deferred { .of("a", "b") }, "(ab|)")
    await Marbles().expect(.deferred { throw MarbleError() }, "#")
    await stage.expect(.concat(.of("a"), .never), "a", cancelledAt: 3)
    #expect(stage.loop.tasks.started == 0)
  }

  @Test func deferred_asks_each_time_it_begins() async {
    let asked = Mutex(0)
    let effect = Effect.deferred {
      let count = asked.withLock { asked in
        asked += 1
        return asked
      }
      return .just("\(count)")
    }
    await stage.expect(.concat(effect, effect), "(12|)")
  }

  func sleeping(_ frames: Int, _ answer: String) -> Effect<String> {
    let clock = stage.clock
    return .task {
      try await clock.sleep(for: .seconds(frames))
      return answer
    }
  }

  @Test func a_task_gives_what_it_returns_once_the_step_is_durable() async {
    await stage.expect(sleeping(2, "a"), "-----(a|)", commitAt: 3)
  }

  @Test func a_task_fails_with_what_it_throws() async {
    await Marbles().expect(.task { throw MarbleError() }, "#")
  }

  @Test func a_task_that_throws_a_cancellation_ends_as_cancelled() async {
    await stage.expect(.task { throw CancellationError() }, "!")
  }

  @Test func a_cancelled_task_sleeps_no_longer_and_gives_nothing() async {
    await stage.expect(sleeping(5, "a"), "", cancelledAt: 2)
    #expect(stage.clock.sleeperCount == 0)
  }

  @Test func a_run_sends_many() async {
    let clock = stage.clock
    let effect = Effect<String>.run { send in
      for name in ["a", "b", "c"] {
        await send(name)
        try await clock.sleep(for: .seconds(2))
      }
    }
    await stage.expect(effect, "a-b-c-|")
  }

  @Test func a_value_sent_after_the_end_is_dropped_and_reported() async {
    let kept = Mutex<Send<String>?>(nil)
    await stage.expect(.run { send in kept.withLock { $0 = send } }, "|")
    let send = kept.withLock { $0 }
    await send?("late")
    #expect(stage.outputs.map(\.marble) == [.finished])
    #expect(
      stage.loop.issues == [
        "a value was sent after the effect of action 1 had ended, and was dropped"
      ])
  }

  @Test func an_async_sequence_gives_its_elements() async {
    let sequence = AsyncStream { continuation in
      for name in ["a", "b"] { continuation.yield(name) }
      continuation.finish()
    }
    await stage.expect(.from(sequence), "(ab|)")
    let failing = AsyncThrowingStream { continuation in
      continuation.yield("a")
      continuation.finish(throwing: MarbleError())
    }
    await Marbles().expect(.from(failing), "(a#)")
  }

  @Test func call_api_is_task_and_catch() async {
    await Marbles().expect(
      .callAPI {
        "a"
      } onError: { _ in
        .of("e", "f")
      }, "(a|)")
    await Marbles().expect(
      .callAPI {
        throw MarbleError()
      } onError: { _ in
        .of("e", "f")
      }, "(ef|)")
    await Marbles().expect(
      .callAPI {
        throw CancellationError()
      } onError: { _ in
        .just("e")
      }, "!")
  }

  @Test func call_api_makes_several_of_a_response() async {
    let many = Effect<String>.callAPI {
      2
    } onSuccess: {
      .of("a", "\($0)")
    } onError: { _ in
      .empty
    }
    await Marbles().expect(many, "(a2|)")
    let failing = Effect<String>.callAPI {
      if true { throw MarbleError() }
      return 2
    } onSuccess: {
      .just("\($0)")
    } onError: {
      .just("\($0 is MarbleError)")
    }
    await Marbles().expect(failing, "([true]|)")
    let later = Effect<String>.callAPI {
      2
    } onSuccess: { _ in
      .fail(MarbleError())
    } onError: { _ in
      .just("e")
    }
    await Marbles().expect(later, "#")
  }

  @Test func call_api_of_a_response_that_says_nothing_can_give_nothing() async {
    func told(_ request: @escaping @Sendable () async throws -> Void) -> Effect<String> {
      .callAPI(request) {
        .empty
      } onError: { _ in
        .empty
      }
    }
    await Marbles().expect(told {}, "|")
    await Marbles().expect(.concat(told { throw MarbleError() }, .just("a")), "(a|)")
  }
}
