import Refold
import RefoldTesting

/// An element of a program.
struct ProgramElement: Hashable, Sendable {
  var leaf: Int
  var index: Int
}

/// What a program fails with.
struct ProgramFailure: Error {}

extension EffectProgram {
  /// The effect that it describes.
  ///
  /// - Parameter send: sends an action of the effect's own.
  func effect(
    on clock: TestClock, send: @escaping @Sendable () -> Void
  ) -> Effect<ProgramElement> {
    @Sendable func made(_ part: EffectProgram) -> Effect<ProgramElement> {
      part.effect(on: clock, send: send)
    }
    func time(_ milliseconds: Int) -> Duration { .milliseconds(milliseconds) }
    return switch self {
    case .empty: .empty
    case .fail: .fail(ProgramFailure())
    case .never: .never
    case .values(let leaf, let count):
      .from((0..<count).map { ProgramElement(leaf: leaf, index: $0) })
    case .task, .run, .timer, .send: timed(on: clock, send: send)
    case .cancel(let id): .cancel(id: id)
    case .concat(let parts): .concat(parts.map(made))
    case .merge(let parts): .merge(parts.map(made))
    case .cancellable(let id, let cancelInFlight, let part):
      made(part).cancellable(id: id, cancelInFlight: cancelInFlight)
    case .delay(let duration, let part): made(part).delay(time(duration), clock: clock)
    case .debounce(let duration, let part): made(part).debounce(time(duration), clock: clock)
    case .throttle(let duration, let latest, let part):
      made(part).throttle(time(duration), latest: latest, clock: clock)
    case .timeout(let duration, let part): made(part).timeout(time(duration), clock: clock)
    case .retry(let attempts, let part): made(part).retry(attempts)
    case .prefix(let count, let part): made(part).prefix(count)
    case .catching(let part, let handler): made(part).catch { _ in made(handler) }
    case .flatMap(let part, let inner): made(part).flatMap { _ in made(inner) }
    case .flatMapLatest(let part, let inner): made(part).flatMapLatest { _ in made(inner) }
    }
  }

  private func timed(
    on clock: TestClock, send: @escaping @Sendable () -> Void
  ) -> Effect<ProgramElement> {
    switch self {
    case .task(let leaf, let delay, let fails):
      .task {
        try await clock.sleep(for: .milliseconds(delay))
        if fails { throw ProgramFailure() }
        return ProgramElement(leaf: leaf, index: 0)
      }
    case .run(let leaf, let count, let gap, let fails):
      .run { send in
        for index in 0..<count {
          if gap > 0 { try await clock.sleep(for: .milliseconds(gap)) }
          await send(ProgramElement(leaf: leaf, index: index))
        }
        if fails { throw ProgramFailure() }
      }
    case .timer(let leaf, let delay, let period, let count):
      Effect<Int>.timer(
        after: .milliseconds(delay), every: .milliseconds(period), clock: clock
      ).prefix(count).map { ProgramElement(leaf: leaf, index: $0) }
    case .send(let delay):
      .run { _ in
        try await clock.sleep(for: .milliseconds(delay))
        send()
      }
    default: .empty
    }
  }
}
