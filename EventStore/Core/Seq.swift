/// The place of an event in its session: 1, 2, 3 … without gaps.
///
/// `Seq.zero` stands before the first event: it names the initial state, and as a cause it means
/// "from outside any action". The largest seq is 2^32 - 1, because a store packs session and seq
/// into one 64-bit row id; the type cannot hold a larger one.
public struct Seq: Hashable, Comparable, Sendable {
  /// 0 for `Seq.zero`, else the 1-based place of the event.
  public let rawValue: UInt32

  /// Wraps a number that is known to fit.
  @inlinable
  public init(_ rawValue: UInt32) { self.rawValue = rawValue }

  /// Wraps `value`, or gives nil where it is negative or beyond 2^32 - 1.
  @inlinable
  public init?(exactly value: some BinaryInteger) {
    guard let rawValue = UInt32(exactly: value) else { return nil }
    self.rawValue = rawValue
  }

  /// Before the first event.
  public static let zero = Seq(0)

  /// The last seq that a session can reach.
  public static let max = Seq(.max)

  /// The seq `count` places on, or nil beyond `Seq.max`.
  @inlinable
  public func advanced(by count: Int) -> Seq? { Seq(exactly: Int(rawValue) + count) }

  /// The seq before this one; `Seq.zero` before `Seq.zero` and the first event.
  public var previous: Seq { Seq(rawValue == 0 ? 0 : rawValue - 1) }

  /// How many events lie after this one, up to and including `other`; negative if it is earlier.
  public func distance(to other: Seq) -> Int { Int(other.rawValue) - Int(rawValue) }

  /// Orders by place in the session.
  @inlinable
  public static func < (left: Seq, right: Seq) -> Bool { left.rawValue < right.rawValue }
}

extension Seq: ExpressibleByIntegerLiteral {
  /// A seq written as a number in code.
  public init(integerLiteral value: UInt32) { self.init(value) }
}

extension Seq: CustomStringConvertible {
  /// The number alone.
  public var description: String { String(rawValue) }
}

/// A session's last seq, `Seq.zero` for an empty one: what an append must expect.
public typealias Version = Seq

/// The number a store gave a session: 1 to 2^31 - 1. Means nothing in another store.
public struct SessionID: Hashable, Comparable, Sendable {
  /// 1 to 2^31 - 1.
  public let rawValue: Int32

  /// Wraps a number that is known to be one of the store's.
  public init(_ rawValue: Int32) { self.rawValue = rawValue }

  /// Orders by age in the store.
  public static func < (left: SessionID, right: SessionID) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// The place of a commit in the total order of a store: 1, 2, 3 … Means nothing in another store.
public struct Position: Hashable, Comparable, Sendable {
  /// 1-based.
  public let rawValue: Int64

  /// Wraps a number that is known to be one of the store's.
  public init(_ rawValue: Int64) { self.rawValue = rawValue }

  /// Orders by time of commit.
  public static func < (left: Position, right: Position) -> Bool {
    left.rawValue < right.rawValue
  }
}
