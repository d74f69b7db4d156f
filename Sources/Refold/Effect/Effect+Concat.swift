import Synchronization

extension Effect {
  /// One effect after the other; the next begins when the one before has ended.
  ///
  ///     a:      --1-2|
  ///     b:           --3|
  ///     concat: --1-2--3|
  ///
  /// An error ends it at once: what was given stays given, later parts do not begin. A part that
  /// is cancelled by its id is over, and the next begins.
  public static func concat(_ parts: Effect...) -> Effect { concat(parts) }

  /// One effect after the other; see `concat(_:)`.
  public static func concat(_ parts: [Effect]) -> Effect {
    if parts.count == 1, let only = parts.first { return only }
    if let elements = elementsGivenAtOnce(by: parts) { return Effect(core: .values(elements)) }
    return Effect(cancellationIDs: parts.flatMap(\.cancellationIDs)) { scope, sink in
      Concatenation(parts: parts, scope: scope, sink: sink).next()
    }
  }

  /// All elements where every part gives its own at once, so that no stream is needed.
  private static func elementsGivenAtOnce(by parts: [Effect]) -> [Element]? {
    var all: [Element] = []
    for part in parts {
      switch part.core {
      case .single(let element): all.append(element)
      case .values(let elements): all.append(contentsOf: elements)
      case .stream: return nil
      }
    }
    return all
  }
}

private final class Concatenation<Element: Sendable>: Sendable {
  private let parts: [Effect<Element>]
  private let scope: EffectScope
  private let sink: Effect<Element>.Sink
  private let waiting: [Int: WaitingPart]
  private let state = Mutex(State())

  private struct State {
    var index = 0
    var isBeginning = false
    var endedWhileBeginning = false
    var sawCancelled = false
  }

  init(parts: [Effect<Element>], scope: EffectScope, sink: @escaping Effect<Element>.Sink) {
    self.parts = parts
    self.scope = scope
    self.sink = sink
    var waiting: [Int: WaitingPart] = [:]
    for (index, part) in parts.enumerated().dropFirst() where !part.cancellationIDs.isEmpty {
      waiting[index] = WaitingPart(ids: part.cancellationIDs, in: scope)
    }
    self.waiting = waiting
  }

  /// Begins parts for as long as they end at once: a loop, so that a long chain of them does not
  /// deepen the stack.
  func next() {
    while true {
      let index = state.withLock { state in
        (state.isBeginning, state.endedWhileBeginning) = (true, false)
        defer { state.index += 1 }
        return state.index
      }
      guard index < parts.count else { return sink(end) }
      begin(index)
      let goOn = state.withLock { state in
        state.isBeginning = false
        return state.endedWhileBeginning
      }
      if !goOn || scope.isCancelled { return }
    }
  }

  private var end: Signal<Element> { state.withLock { $0.sawCancelled } ? .cancelled : .finished }

  private func begin(_ index: Int) {
    if let part = waiting[index] {
      part.begin { [self] scope in begin(index, in: scope) }
    } else {
      begin(index, in: scope.child())
    }
  }

  private func begin(_ index: Int, in part: EffectScope) {
    parts[index].begin(in: part) { [self] signal in
      switch signal {
      case .next: sink(signal)
      case .finished: partEnded(part, cancelled: false)
      case .cancelled: partEnded(part, cancelled: true)
      case .failed:
        part.cancel()
        sink(signal)
      }
    }
  }

  private func partEnded(_ part: EffectScope, cancelled: Bool) {
    part.cancel()
    let inside = state.withLock { state in
      if cancelled { state.sawCancelled = true }
      if state.isBeginning { state.endedWhileBeginning = true }
      return state.isBeginning
    }
    if !inside { next() }
  }
}
