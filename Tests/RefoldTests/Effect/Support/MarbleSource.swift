import EventStoreCore
import Synchronization

@testable import Refold

/// An effect written as marbles, which knows when it ran.
final class MarbleSource: Sendable {
  private let marbles: [(frame: Int, marble: Marble)]
  private let isHot: Bool
  private let cause: Seq?
  private unowned let stage: Marbles
  private let state = Mutex(State())

  private struct State {
    var lives: [(begin: Int, end: Int?)] = []
    var observers: [Int: @Sendable (Marble) -> Void] = [:]
  }

  init(_ text: String, isHot: Bool, cause: Seq?, _ stage: Marbles) {
    marbles = Marble.parse(text)
    self.isHot = isHot
    self.cause = cause
    self.stage = stage
    guard isHot else { return }
    for (frame, marble) in marbles where frame >= 0 {
      stage.at(frame) { [self] in
        let observers = state.withLock { $0.observers.sorted { $0.key < $1.key } }
        for observer in observers { observer.value(marble) }
      }
    }
  }

  /// When it ran, from `^` to `!`, whether it ended or was cancelled; an entry for each begin.
  var lives: [String] {
    state.withLock { state in
      state.lives.map { life in
        let begin = String(repeating: "-", count: life.begin) + "^"
        guard let end = life.end else { return begin }
        if end == life.begin { return String(repeating: "-", count: end) + "(^!)" }
        return begin + String(repeating: "-", count: end - life.begin - 1) + "!"
      }
    }
  }

  var effect: Effect<String> {
    Effect { [self] scope, sink in
      let life = state.withLock { state in
        state.lives.append((stage.frame, nil))
        return state.lives.count - 1
      }
      scope.onCancel { [self] in
        let frame = stage.frame
        state.withLock { state in
          state.lives[life].end = frame
          state.observers[life] = nil
        }
      }
      let give: @Sendable (Marble) -> Void = { [cause] marble in
        switch marble {
        case .element(let element): sink(.next(element, cause: cause ?? scope.cause))
        case .finished: sink(.finished)
        case .failed: sink(.failed(MarbleError()))
        case .cancelled: sink(.cancelled)
        }
      }
      isHot ? listen(life, scope, give) : schedule(scope, give)
    }
  }

  private func listen(
    _ life: Int, _ scope: EffectScope, _ give: @escaping @Sendable (Marble) -> Void
  ) {
    state.withLock { state in
      state.observers[life] = { marble in scope.deliver { give(marble) } }
    }
  }

  private func schedule(_ scope: EffectScope, _ give: @escaping @Sendable (Marble) -> Void) {
    for (frame, marble) in marbles where frame == 0 && !scope.isCancelled { give(marble) }
    scope.start { [self] in
      let begin = stage.frame
      for (frame, marble) in marbles where frame > 0 {
        stage.at(begin + frame) { scope.deliver { give(marble) } }
      }
    }
  }
}
