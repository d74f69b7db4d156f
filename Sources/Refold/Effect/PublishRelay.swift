/// Events that others listen to: a stream that never ends or fails, and replays nothing.
///
///     func transform(mutation: Effect<Mutation>) -> Effect<Mutation> {
///       .merge(mutation, notifications.effect.map { .notify($0) })
///     }
public final class PublishRelay<Element: Sendable>: Sendable {
  private let relay = Relay<Element, Void>((), remember: { _, _ in }, replay: { _ in [] })

  /// A relay that nobody listens to yet.
  public init() {}

  /// Tells every observer of `element`; lost where there is none. From any thread; two calls arrive
  /// everywhere in the same order.
  /// - Complexity: O(n) for n observers.
  public func accept(_ element: Element) { relay.accept(element) }

  /// Every element accepted from now on: `---b-c-`. Its elements come from outside any action.
  public var effect: Effect<Element> { relay.effect }
}
