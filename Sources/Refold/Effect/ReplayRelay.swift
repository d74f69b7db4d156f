/// Events that others listen to: a stream that never ends or fails, and replays the last few.
///
///     let messages = ReplayRelay<String>(bufferSize: 3)
///     messages.accept("a")
///     messages.effect                    // gives "a" to whoever comes late
public final class ReplayRelay<Element: Sendable>: Sendable {
  private let relay: Relay<Element, [Element]>

  /// A relay that replays the last `bufferSize` elements; none where it is less than one.
  public init(bufferSize: Int) {
    relay = Relay(
      [],
      remember: { elements, element in
        elements.append(element)
        if elements.count > bufferSize { elements.removeFirst() }
      },
      replay: { $0 })
  }

  /// What it would replay now, the oldest first.
  public var values: [Element] { relay.memory }

  /// Tells every observer of `element`, and keeps it for those who come later. From any thread; two
  /// calls arrive everywhere in the same order.
  /// - Complexity: O(n + k) for n observers and k kept elements.
  public func accept(_ element: Element) { relay.accept(element) }

  /// The last elements, oldest first, then every accepted one: `(ab)--c-`. Its elements come from
  /// outside any action.
  public var effect: Effect<Element> { relay.effect }
}
