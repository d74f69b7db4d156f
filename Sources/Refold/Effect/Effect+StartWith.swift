extension Effect {
  /// `elements` at once, then those of this effect.
  ///
  ///     source:       --1--2|
  ///     startWith(0): 0-1--2|
  public func startWith(_ elements: Element...) -> Effect {
    .concat(.from(elements), self)
  }
}
