extension Effect {
  /// All effects at once, their elements in the order in which they arrive.
  ///
  ///     a:     --1----2|
  ///     b:     ----3|
  ///     merge: --1-3--2|
  ///
  /// The first error ends it and cancels the others. It ends when all have.
  public static func merge(_ parts: Effect...) -> Effect { merge(parts) }

  /// All effects at once; see `merge(_:)`.
  public static func merge(_ parts: [Effect]) -> Effect {
    if parts.count == 1, let only = parts.first { return only }
    return Effect(cancellationIDs: parts.flatMap(\.cancellationIDs)) { scope, sink in
      let merging = Merging(scope: scope, sink: sink)
      for part in parts { merging.add(part) }
      merging.close()
    }
  }
}
