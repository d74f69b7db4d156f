extension EffectProgram {
  /// Whether what it gives is all that its leaves give, each in order: no operator leaves something
  /// out, or begins a part twice.
  var keepsAll: Bool {
    !contains { program in
      switch program {
      case .debounce, .throttle, .retry, .prefix, .catching, .flatMap, .flatMapLatest: true
      default: false
      }
    }
  }

  /// What is wrong with `given`, everything that it gave so far, in order; nil where nothing is.
  ///
  /// For programs that keep all.
  /// - Parameter isComplete: whether it has ended by itself.
  func flaw(in given: [ProgramElement], isComplete: Bool) -> String? {
    var places: [Int: [Int]] = [:]
    for (place, element) in given.enumerated() {
      let inLeaf = places[element.leaf, default: []]
      if element.index != inLeaf.count {
        return "leaf \(element.leaf) gave element \(element.index) in place of \(inLeaf.count)"
      }
      places[element.leaf] = inLeaf + [place]
    }
    return flaw(places, isComplete: isComplete)
  }

  private func flaw(_ places: [Int: [Int]], isComplete: Bool) -> String? {
    switch self {
    case .empty, .fail, .never, .send, .cancel: return nil
    case .values(let leaf, let count), .timer(let leaf, _, _, let count),
      .run(let leaf, let count, _, _):
      return Self.flaw(leaf, count, places, isComplete)
    case .task(let leaf, _, let fails):
      return Self.flaw(leaf, fails ? 0 : 1, places, isComplete)
    case .concat(let parts):
      for (first, second) in zip(parts, parts.dropFirst()) {
        let (left, right) = (first.places(places), second.places(places))
        guard let end = left.max(), let start = right.min() else { continue }
        if start < end { return "a later part of a concat gave something before the one in front" }
      }
      return parts.lazy.compactMap { $0.flaw(places, isComplete: isComplete) }.first
    case .cancellable(_, _, let part):
      return part.flaw(places, isComplete: false)
    default:
      return parts.lazy.compactMap { $0.flaw(places, isComplete: isComplete) }.first
    }
  }

  private static func flaw(
    _ leaf: Int, _ count: Int, _ places: [Int: [Int]], _ isComplete: Bool
  ) -> String? {
    let given = places[leaf, default: []].count
    if given > count { return "leaf \(leaf) gave \(given) elements, and has \(count)" }
    if isComplete, given < count { return "leaf \(leaf) ended after \(given) of \(count)" }
    return nil
  }

  private func places(_ all: [Int: [Int]]) -> [Int] {
    let own: [Int] =
      switch self {
      case .values(let leaf, _), .task(let leaf, _, _), .run(let leaf, _, _, _),
        .timer(let leaf, _, _, _):
        all[leaf] ?? []
      default: []
      }
    return own + parts.flatMap { $0.places(all) }
  }
}
