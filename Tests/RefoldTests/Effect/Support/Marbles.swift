import EventStoreCore
import RefoldTesting
import Synchronization
import Testing

@testable import Refold

/// What a failing marble `#` fails with.
struct MarbleError: Error, Equatable {}

/// Effects on virtual time: sources written as marbles, what comes out read as marbles. A frame is a
/// second of a `TestClock`. In a frame those who sleep on the clock come before the sources.
///
/// Deterministic: the next thing happens when every task of the loop sleeps on the clock or ended.
final class Marbles: Sendable {
  let clock = TestClock()
  let loop = TestLoop()
  private let state = Mutex(State())

  private struct State {
    var agenda: [(frame: Int, body: @Sendable () -> Void)] = []
    var outputs: [Output] = []
  }

  /// Something that the effect gave.
  struct Output: Equatable, Sendable {
    let frame: Int
    let marble: Marble
    let cause: Seq?
  }

  /// What `expect` and `run` saw come out.
  var outputs: [Output] { state.withLock { $0.outputs } }

  var frame: Int { Int(clock.now.offset / .seconds(1)) }

  /// Calls `body` in `frame`.
  func at(_ frame: Int, _ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.agenda.append((frame, body)) }
  }

  /// A source whose marbles begin when it does; those of frame zero are given at once.
  func cold(_ marbles: String, cause: Seq? = nil) -> MarbleSource {
    MarbleSource(marbles, isHot: false, cause: cause, self)
  }

  /// A source whose marbles come at their time whether it has begun or not.
  func hot(_ marbles: String, cause: Seq? = nil) -> MarbleSource {
    MarbleSource(marbles, isHot: true, cause: cause, self)
  }

  /// Runs `effect` as that of action 1 and compares what it gives with `expected`.
  func expect(
    _ effect: Effect<String>, _ expected: String, cancelledAt cancellation: Int? = nil,
    commitAt commit: Int = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let given = await run(
      effect, frames: expected.count + 10, cancelledAt: cancellation, commitAt: commit)
    #expect(given == Marble.trimmed(expected), sourceLocation: sourceLocation)
    #expect(loop.tasks.running == 0, "a task was left behind", sourceLocation: sourceLocation)
  }

  /// What `effect` gives within `frames`, as marbles. Then it is cancelled.
  func run(
    _ effect: Effect<String>, frames: Int, cancelledAt cancellation: Int? = nil,
    commitAt commit: Int = 0
  ) async -> String {
    let run = EffectRun(cause: 1, loop: loop)
    begin(effect, run)
    if commit == 0 { run.activate() } else { at(commit) { run.activate() } }
    if let cancellation { at(cancellation) { run.end(.cancelled) } }
    for frame in 0...frames { await pass(frame) }
    run.end(.cancelled)
    await settle()
    return Marble.text(of: outputs.map { ($0.frame, $0.marble) })
  }

  /// Begins `effect` on the loop, and notes what comes out.
  func begin(_ effect: Effect<String>, _ run: EffectRun) {
    loop.perform { [self] in
      effect.begin(in: run.scope) { [self] signal in
        switch signal {
        case .next(let element, let cause): note(.element(element), cause)
        case .finished: note(.finished, nil, ending: run)
        case .cancelled: note(.cancelled, nil, ending: run)
        case .failed: note(.failed, nil, ending: run)
        }
      }
    }
  }

  private func note(_ marble: Marble, _ cause: Seq?, ending run: EffectRun? = nil) {
    let output = Output(frame: frame, marble: marble, cause: cause)
    state.withLock { $0.outputs.append(output) }
    run?.scope.cancel()
  }

  /// Lets everything of `frame` happen.
  func pass(_ frame: Int) async {
    await clock.advance(to: .init(offset: .seconds(frame))) { await settle() }
    while let body = nextOnAgenda(frame) {
      body()
      await settle()
      await clock.advance(to: .init(offset: .seconds(frame))) { await settle() }
    }
  }

  private func nextOnAgenda(_ frame: Int) -> (@Sendable () -> Void)? {
    state.withLock { state in
      let index = state.agenda.firstIndex { $0.frame <= frame }
      return index.map { state.agenda.remove(at: $0).body }
    }
  }

  /// Returns when every task of the loop sleeps on the clock or has ended. A task that is woken is
  /// no sleeper from that moment on, and what it gives is dealt with before it sleeps or ends.
  func settle() async {
    while loop.tasks.running != clock.sleeperCount { await Task.yield() }
  }
}
