/// A value that others watch: a stream that never ends or fails, and replays its present value.
///
/// Merge it in `transform(mutation:)` to log what it tells as mutations from outside any action:
///
///     func transform(mutation: Effect<Mutation>) -> Effect<Mutation> {
///       .merge(mutation, users.effect.map { .setUser($0) })
///     }
public final class BehaviorRelay<Element: Sendable>: Sendable {
  private let relay: Relay<Element, Element>

  /// A relay whose first value is `value`.
  public init(_ value: Element) {
    relay = Relay(value, remember: { $0 = $1 }, replay: { [$0] })
  }

  /// The present value.
  public var value: Element { relay.memory }

  /// Makes `value` the present one and tells every observer, also of an equal value. From any
  /// thread; two calls arrive everywhere in the same order.
  /// - Complexity: O(n) for n observers.
  public func accept(_ value: Element) { relay.accept(value) }

  /// The present value, then every accepted one: `a--b-c-`. Its elements come from outside any
  /// action.
  public var effect: Effect<Element> { relay.effect }
}
