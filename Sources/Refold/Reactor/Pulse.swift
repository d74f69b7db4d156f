/// A value in State together with how often it was assigned, so that assigning an equal value is
/// news all the same: `@Pulse var error: AppError?`.
///
/// The counter starts at 0, goes up by one at every assignment, and wraps at `UInt.max`. Both are
/// part of the state: they come back exactly from the log and from snapshots. Encoded as
/// `{"value":…,"count":…}`; a nil value is `null`.
@propertyWrapper
public struct Pulse<Value> {
  /// The value. Assigning it counts.
  public var wrappedValue: Value {
    didSet { count &+= 1 }
  }

  /// How often the value was assigned.
  public private(set) var count: UInt = 0

  /// The pulse itself: `state.$error`.
  public var projectedValue: Pulse<Value> { self }

  /// A pulse that was never assigned.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  package init(wrappedValue: Value, count: UInt) {
    self.wrappedValue = wrappedValue
    self.count = count
  }
}

extension Pulse: Sendable where Value: Sendable {}
extension Pulse: Equatable where Value: Equatable {}
extension Pulse: Hashable where Value: Hashable {}

private enum PulseCodingKeys: String, CodingKey {
  case value, count
}

extension Pulse: Encodable where Value: Encodable {
  /// Writes value and counter.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: PulseCodingKeys.self)
    try container.encode(wrappedValue, forKey: .value)
    try container.encode(count, forKey: .count)
  }
}

extension Pulse: Decodable where Value: Decodable {
  /// Reads value and counter.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: PulseCodingKeys.self)
    self.init(
      wrappedValue: try container.decode(Value.self, forKey: .value),
      count: try container.decode(UInt.self, forKey: .count))
  }
}
