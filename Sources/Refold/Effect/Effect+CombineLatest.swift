extension Effect {
  /// The latest elements of all parts as a tuple, whenever one of them gives a new one and each has
  /// given one.
  ///
  ///     a:             --1----2----|
  ///     b:             ----x----y--|
  ///     combineLatest: ----α--β-γ--|        α = (1, x), β = (2, x), γ = (2, y)
  ///
  /// All parts begin at once. The first error ends it and cancels the others. It ends when all
  /// parts have, or when one has without ever having given an element. A joined element has the
  /// cause of the element that set it off.
  public static func combineLatest<each Part: Sendable>(
    _ parts: repeat Effect<each Part>
  ) -> Effect where Element == (repeat each Part) {
    combining(.latest, repeat each parts) { (elements: repeat each Part) in (repeat each elements) }
  }

  /// What `transform` makes of the latest elements of all parts, whenever one of them gives one.
  ///
  /// See `combineLatest(_:)`. An error that `transform` throws ends the effect.
  public static func combineLatest<each Part: Sendable>(
    _ parts: repeat Effect<each Part>,
    transform: @escaping @Sendable (repeat each Part) throws -> Element
  ) -> Effect {
    combining(.latest, repeat each parts, transform: transform)
  }

  /// The latest elements of all parts, in the order of the parts.
  ///
  /// See `combineLatest(_:)`. Without parts it ends at once.
  public static func combineLatest<Part: Sendable>(
    _ parts: [Effect<Part>]
  ) -> Effect where Element == [Part] {
    combining(.latest, parts) { $0 }
  }

  /// What `transform` makes of the latest elements of all parts, in the order of the parts.
  ///
  /// See `combineLatest(_:)`. An error that `transform` throws ends the effect.
  public static func combineLatest<Part: Sendable>(
    _ parts: [Effect<Part>], transform: @escaping @Sendable ([Part]) throws -> Element
  ) -> Effect {
    combining(.latest, parts, transform: transform)
  }
}
