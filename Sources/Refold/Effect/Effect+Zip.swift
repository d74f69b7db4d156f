extension Effect {
  /// The first elements of all parts joined, then the second ones, and so on, as tuples.
  ///
  ///     a:   --1---2--3|
  ///     b:   ----x--y--|
  ///     zip: ----α--β--|        α = (1, x), β = (2, y)
  ///
  ///     Effect.zip(fetchUser, fetchPosts).map { user, posts in .setHome(user, posts) }
  ///
  /// All parts begin at once. The first error ends it and cancels the others. It ends as soon as
  /// nothing more can be joined: when a part has ended and its elements are used up. A joined
  /// element has the cause of the element that completed it.
  public static func zip<each Part: Sendable>(
    _ parts: repeat Effect<each Part>
  ) -> Effect where Element == (repeat each Part) {
    combining(.all, repeat each parts) { (elements: repeat each Part) in (repeat each elements) }
  }

  /// What `transform` makes of the first elements of all parts, then of the second ones, and so on.
  ///
  ///     Effect.zip(fetchUser, fetchPosts) { user, posts in .setHome(user, posts) }
  ///
  /// See `zip(_:)`. An error that `transform` throws ends the effect.
  public static func zip<each Part: Sendable>(
    _ parts: repeat Effect<each Part>,
    transform: @escaping @Sendable (repeat each Part) throws -> Element
  ) -> Effect {
    combining(.all, repeat each parts, transform: transform)
  }

  /// The first elements of all parts joined, in the order of the parts, then the second ones.
  ///
  /// See `zip(_:)`. Without parts it ends at once.
  public static func zip<Part: Sendable>(
    _ parts: [Effect<Part>]
  ) -> Effect where Element == [Part] {
    combining(.all, parts) { $0 }
  }

  /// What `transform` makes of the first elements of all parts, in the order of the parts, and so on.
  ///
  ///     .zip(requests) { responses in .setSections(responses) }
  ///
  /// See `zip(_:)`. An error that `transform` throws ends the effect.
  public static func zip<Part: Sendable>(
    _ parts: [Effect<Part>], transform: @escaping @Sendable ([Part]) throws -> Element
  ) -> Effect {
    combining(.all, parts, transform: transform)
  }
}

extension Effect {
  static func combining<each Part: Sendable>(
    _ keeping: CombinationKeeping, _ parts: repeat Effect<each Part>,
    transform: @escaping @Sendable (repeat each Part) throws -> Element
  ) -> Effect {
    var ids: [CancellationID] = []
    repeat ids.append(contentsOf: (each parts).cancellationIDs)
    let all = (repeat each parts)
    return Effect(cancellationIDs: ids) { scope, sink in
      let slots = (repeat CombinationSlot(each all, keeping))
      var begin: [Combination<Element>.Part] = []
      repeat begin.append((each slots).begin(in:_:))
      Combination(begin, keeping: keeping, scope: scope, sink: sink) {
        try transform(repeat try (each slots).take())
      }
      .begin()
    }
  }

  static func combining<Part: Sendable>(
    _ keeping: CombinationKeeping, _ parts: [Effect<Part>],
    transform: @escaping @Sendable ([Part]) throws -> Element
  ) -> Effect {
    Effect(cancellationIDs: parts.flatMap(\.cancellationIDs)) { scope, sink in
      if parts.isEmpty { return sink(.finished) }
      let slots = parts.map { CombinationSlot($0, keeping) }
      let begin = slots.map { slot -> Combination<Element>.Part in slot.begin(in:_:) }
      Combination(begin, keeping: keeping, scope: scope, sink: sink) {
        try transform(slots.map { try $0.take() })
      }
      .begin()
    }
  }
}
