extension Effect {
  /// Each element changed by `transform`; an error it throws ends the effect.
  ///
  ///     source: --1--2|
  ///     map:    --a--b|
  public func map<Other: Sendable>(
    _ transform: @escaping @Sendable (Element) throws -> Other
  ) -> Effect<Other> {
    compactMap { element in .some(try transform(element)) }
  }

  /// Each element changed by `transform`, those that became nil left out.
  ///
  ///     source:     --1--2--3|
  ///     compactMap: --a-----c|
  public func compactMap<Other: Sendable>(
    _ transform: @escaping @Sendable (Element) throws -> Other?
  ) -> Effect<Other> {
    compactMap(from: ()) { _, element in try transform(element) }
  }

  /// The elements for which `isIncluded` holds.
  ///
  ///     source: --1--2--3|
  ///     filter: --1-----3|
  public func filter(_ isIncluded: @escaping @Sendable (Element) throws -> Bool) -> Effect {
    compactMap { element in try isIncluded(element) ? element : nil }
  }
}

extension Effect {
  /// What the operators are made of that answer an element with at most one: `transform` is lent
  /// what it remembers of the elements before, `initial` whenever the effect begins.
  func compactMap<Memory: Sendable, Other: Sendable>(
    from initial: Memory, _ transform: @escaping @Sendable (inout Memory, Element) throws -> Other?
  ) -> Effect<Other> {
    Effect<Other>(cancellationIDs: cancellationIDs) { scope, sink in
      let inner = scope.child()
      let memory = OperatorMemory(initial)
      begin(in: inner) { signal in
        if let end = signal.ending(as: Other.self) {
          inner.cancel()
          return sink(end)
        }
        guard case .next(let element, let cause) = signal else { return }
        do {
          let other = try memory.lend { memory in try transform(&memory, element) }
          if let other { sink(.next(other, cause: cause)) }
        } catch {
          inner.cancel()
          sink(.failed(error))
        }
      }
    }
  }
}
