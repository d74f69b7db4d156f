extension Effect {
  /// Each element folded into what came of those before; gives every result, `initial` not.
  ///
  ///     source:       --1--2--3|
  ///     scan(0, +):   --1--3--6|
  ///
  /// An error that `next` throws ends the effect.
  public func scan<Result: Sendable>(
    _ initial: Result, _ next: @escaping @Sendable (Result, Element) throws -> Result
  ) -> Effect<Result> {
    compactMap(from: initial) { result, element in
      result = try next(result, element)
      return result
    }
  }

  /// As `scan(_:_:)`, with a result that is changed in place.
  ///
  ///     source: --1----2--|
  ///     scan:   --[1]--[12]|
  public func scan<Result: Sendable>(
    into initial: Result, _ update: @escaping @Sendable (inout Result, Element) throws -> Void
  ) -> Effect<Result> {
    compactMap(from: initial) { result, element in
      try update(&result, element)
      return result
    }
  }
}
