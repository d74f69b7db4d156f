extension Effect {
  /// The elements that differ from the one before.
  ///
  ///     source:                 --1-1-2-2-1|
  ///     distinctUntilChanged(): --1---2---1|
  public func distinctUntilChanged() -> Effect where Element: Equatable {
    distinctUntilChanged { $0 }
  }

  /// The elements whose `key` differs from that of the one before, by key path or closure.
  ///
  ///     effect.distinctUntilChanged(\.id)
  ///
  ///     source:               --a-A-b-a|
  ///     { $0.lowercased() }:  --a---b-a|
  ///
  /// An error that `key` throws ends the effect.
  public func distinctUntilChanged(
    _ key: @escaping @Sendable (Element) throws -> some Equatable & Sendable
  ) -> Effect {
    distinctUntilChanged(key, ==)
  }

  /// The elements that are not equal to the one before, as `areEqual` sees it.
  ///
  ///     source:                    --1-2-5-6|
  ///     by { abs($0 - $1) < 2 }:   --1---5--|
  ///
  /// An error that `areEqual` throws ends the effect.
  public func distinctUntilChanged(
    by areEqual: @escaping @Sendable (Element, Element) throws -> Bool
  ) -> Effect {
    distinctUntilChanged({ $0 }, areEqual)
  }

  private func distinctUntilChanged<Key: Sendable>(
    _ key: @escaping @Sendable (Element) throws -> Key,
    _ areEqual: @escaping @Sendable (Key, Key) throws -> Bool
  ) -> Effect {
    compactMap(from: nil as Key?) { last, element in
      let key = try key(element)
      if let last, try areEqual(last, key) { return nil }
      last = key
      return element
    }
  }
}
