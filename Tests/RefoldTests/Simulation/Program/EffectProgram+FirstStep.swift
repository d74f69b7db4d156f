extension EffectProgram {
  /// What an effect comes to before anything that takes time has started.
  struct FirstStep: Equatable {
    var elements: [ProgramElement] = []
    var end = End.finished
  }

  /// How far an effect has got.
  enum End {
    case finished
    case failed
    case goesOn
  }

  /// What the definitions of the operators say that a program gives at once: a second, simple
  /// reading of them, for programs that do not cancel a part around them.
  var firstStep: FirstStep {
    switch self {
    case .empty, .cancel: FirstStep()
    case .fail: FirstStep(end: .failed)
    case .values(let leaf, let count):
      FirstStep(elements: (0..<count).map { ProgramElement(leaf: leaf, index: $0) })
    case .never, .task, .run, .timer, .send: FirstStep(end: .goesOn)
    case .concat(let parts): Self.concatenated(parts)
    case .merge(let parts): Self.merged(parts.map(\.firstStep))
    case .cancellable(_, _, let part): part.firstStep
    case .delay(_, let part): Self.delayed(part.firstStep)
    case .debounce(_, let part): Self.debounced(part.firstStep)
    case .throttle(_, let latest, let part): Self.throttled(part.firstStep, latest: latest)
    case .timeout(_, let part): part.firstStep
    case .retry(let attempts, let part): Self.retried(part.firstStep, attempts)
    case .prefix(let count, let part): Self.cut(part.firstStep, count)
    case .catching(let part, let handler): Self.caught(part.firstStep, handler)
    case .flatMap(let part, let inner): Self.flattened(part.firstStep, inner.firstStep)
    case .flatMapLatest(let part, let inner): Self.switched(part.firstStep, inner.firstStep)
    }
  }

  private static func concatenated(_ parts: [EffectProgram]) -> FirstStep {
    var all = FirstStep()
    for part in parts {
      let step = part.firstStep
      all.elements += step.elements
      if step.end != .finished {
        all.end = step.end
        return all
      }
    }
    return all
  }

  private static func merged(_ steps: [FirstStep]) -> FirstStep {
    var all = FirstStep()
    for step in steps {
      all.elements += step.elements
      switch step.end {
      case .finished: break
      case .goesOn: all.end = .goesOn
      case .failed:
        all.end = .failed
        return all
      }
    }
    return all
  }

  private static func delayed(_ step: FirstStep) -> FirstStep {
    FirstStep(end: step.end == .failed ? .failed : .goesOn)
  }

  private static func debounced(_ step: FirstStep) -> FirstStep {
    switch step.end {
    case .finished: FirstStep(elements: Array(step.elements.suffix(1)))
    case .failed, .goesOn: FirstStep(end: step.end)
    }
  }

  private static func throttled(_ step: FirstStep, latest: Bool) -> FirstStep {
    let isWaiting = latest && step.elements.count > 1
    return FirstStep(
      elements: Array(step.elements.prefix(1)),
      end: step.end == .finished && isWaiting ? .goesOn : step.end)
  }

  private static func retried(_ step: FirstStep, _ attempts: Int) -> FirstStep {
    guard step.end == .failed else { return step }
    return FirstStep(
      elements: (0..<attempts).flatMap { _ in step.elements }, end: .failed)
  }

  private static func cut(_ step: FirstStep, _ count: Int) -> FirstStep {
    if step.elements.count < count { return step }
    return FirstStep(elements: Array(step.elements.prefix(count)))
  }

  private static func caught(_ step: FirstStep, _ handler: EffectProgram) -> FirstStep {
    guard step.end == .failed else { return step }
    let answer = handler.firstStep
    return FirstStep(elements: step.elements + answer.elements, end: answer.end)
  }

  private static func flattened(_ outer: FirstStep, _ inner: FirstStep) -> FirstStep {
    // The last part stands for the end of the source.
    merged(outer.elements.map { _ in inner } + [FirstStep(end: outer.end)])
  }

  private static func switched(_ outer: FirstStep, _ inner: FirstStep) -> FirstStep {
    var all = FirstStep()
    for _ in outer.elements {
      all.elements += inner.elements
      if inner.end == .failed {
        all.end = .failed
        return all
      }
    }
    let latestGoesOn = !outer.elements.isEmpty && inner.end == .goesOn
    all.end = outer.end == .finished && latestGoesOn ? .goesOn : outer.end
    return all
  }
}
