import EventStoreCore
import Synchronization

/// What `zip` and `combineLatest` are: parts that run at once, whose elements are joined.
final class Combination<Output: Sendable>: Sendable {
  /// A part, its element type forgotten: its elements go to its `CombinationSlot`.
  typealias Part = @Sendable (EffectScope, @escaping Effect<Void>.Sink) -> Void

  private let parts: [Part]
  private let keeping: CombinationKeeping
  private let combine: @Sendable () throws -> Output
  private let scope: EffectScope
  private let sink: Effect<Output>.Sink
  /// Around all parts.
  private let inner: EffectScope
  private let state: Mutex<State>

  private struct State {
    /// How many elements of each part are there to be joined.
    var counts: [Int]
    /// How many parts have none.
    var missing: Int
    var hasEnded: [Bool]
    var open: Int
    var sawCancelled = false

    init(parts: Int) {
      counts = Array(repeating: 0, count: parts)
      missing = parts
      hasEnded = Array(repeating: false, count: parts)
      open = parts
    }

    mutating func use() {
      for index in counts.indices { counts[index] -= 1 }
      missing = counts.count { $0 == 0 }
    }

    /// Whether a part that has ended has left nothing to be joined.
    var isExhausted: Bool { zip(hasEnded, counts).contains { $0 && $1 == 0 } }
  }

  /// - Parameter combine: joins one element of each part's slot; called when each has one.
  init(
    _ parts: [Part], keeping: CombinationKeeping, scope: EffectScope,
    sink: @escaping Effect<Output>.Sink, combine: @escaping @Sendable () throws -> Output
  ) {
    self.parts = parts
    self.keeping = keeping
    self.combine = combine
    self.scope = scope
    self.sink = sink
    inner = scope.child()
    state = Mutex(State(parts: parts.count))
  }

  func begin() {
    for (index, part) in parts.enumerated() where !inner.isCancelled {
      let child = inner.child()
      part(child) { [self] signal in
        switch signal {
        case .next(_, let cause): arrived(index, cause: cause)
        case .finished: ended(index, child, cancelled: false)
        case .cancelled: ended(index, child, cancelled: true)
        case .failed(let error): fail(error)
        }
      }
    }
  }

  private func arrived(_ index: Int, cause: Seq) {
    let isComplete = state.withLock { state in
      if state.counts[index] == 0 { state.missing -= 1 }
      state.counts[index] = keeping == .latest ? 1 : state.counts[index] + 1
      return state.missing == 0
    }
    guard isComplete else { return }
    do {
      let output = try combine()
      let isLast = state.withLock { state in
        if keeping == .all { state.use() }
        return state.isExhausted
      }
      if isLast { inner.cancel() }
      sink(.next(output, cause: cause))
      if isLast, !scope.isCancelled { end() }
    } catch {
      fail(error)
    }
  }

  private func ended(_ index: Int, _ part: EffectScope, cancelled: Bool) {
    part.cancel()
    let isOver = state.withLock { state in
      state.hasEnded[index] = true
      state.open -= 1
      if cancelled { state.sawCancelled = true }
      return state.open == 0 || state.counts[index] == 0
    }
    if isOver, inner.cancel() { end() }
  }

  private func end() { sink(state.withLock { $0.sawCancelled } ? .cancelled : .finished) }

  private func fail(_ error: any Error) {
    inner.cancel()
    sink(.failed(error))
  }
}

/// Which elements of a part are there to be joined.
enum CombinationKeeping: Sendable {
  /// All that were not joined yet: `zip`.
  case all
  /// The latest, however often: `combineLatest`.
  case latest
}

/// The elements of one part of a `Combination` that are there to be joined.
final class CombinationSlot<Element: Sendable>: Sendable {
  private let effect: Effect<Element>
  private let keeping: CombinationKeeping
  private let elements = Mutex(Queue<Element>())

  init(_ effect: Effect<Element>, _ keeping: CombinationKeeping) {
    self.effect = effect
    self.keeping = keeping
  }

  /// Begins the part, and keeps what it gives.
  func begin(in scope: EffectScope, _ sink: @escaping Effect<Void>.Sink) {
    effect.begin(in: scope) { [self] signal in
      if let end = signal.ending(as: Void.self) { return sink(end) }
      guard case .next(let element, let cause) = signal else { return }
      elements.withLock { elements in
        if keeping == .latest { _ = elements.popFirst() }
        elements.append(element)
      }
      sink(.next((), cause: cause))
    }
  }

  /// The next element to be joined.
  /// - Throws: `MissingElement` where there is none, which `Combination` makes sure of.
  func take() throws -> Element {
    let element = elements.withLock { elements in
      let element = elements.popFirst()
      if keeping == .latest, let element { elements.append(element) }
      return element
    }
    guard let element else { throw MissingElement() }
    return element
  }

  private struct MissingElement: Error {}
}
