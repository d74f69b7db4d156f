extension Effect {
  /// The effect that `transform` makes of each element, all of them at once.
  ///
  ///     source:  --1----2---|
  ///     1:         -a-b|
  ///     2:              -c-d|
  ///     flatMap: ---a-b--c-d|
  ///
  /// It ends when this effect and all the others have. The first error, of any of them or thrown by
  /// `transform`, ends it and cancels the rest. What comes of an element has the element's cause.
  public func flatMap<Other: Sendable>(
    _ transform: @escaping @Sendable (Element) throws -> Effect<Other>
  ) -> Effect<Other> {
    Effect<Other>(cancellationIDs: cancellationIDs) { scope, sink in
      Merging(scope: scope, sink: sink).add(from: self, transform)
    }
  }
}
