extension Effect {
  /// Only how this effect ends: what is done for its own sake.
  ///
  ///     source:         --1--2|
  ///     ignoreElements: ------|
  ///
  ///     Effect.run { _ in await analytics.track(event) }.ignoreElements(as: Mutation.self)
  public func ignoreElements<Other: Sendable>(as type: Other.Type = Other.self) -> Effect<Other> {
    compactMap { _ in nil }
  }
}
