import EventStoreCore

/// What every event store promises, as checks that a test runs over each of them:
///
///     @Test(arguments: StoreContract.checks)
///     func keeps(_ check: StoreContract.Check) throws {
///       try check.run { try MyStore() }
///     }
public enum StoreContract {
  /// One promise.
  public struct Check: Sendable, CustomStringConvertible {
    /// The promise, as a sentence.
    public let name: String
    /// Throws `ContractViolation`, or what the store throws, when a store that `makeStore` gives
    /// does not keep it. Every call of `makeStore` must give a new and empty store.
    public let run: @Sendable (_ makeStore: () throws -> any EventStore) throws -> Void

    /// A promise called `name`.
    public init(
      _ name: String, run: @escaping @Sendable (() throws -> any EventStore) throws -> Void
    ) {
      self.name = name
      self.run = run
    }

    /// A promise about one store.
    init(_ name: String, over body: @escaping @Sendable (any EventStore) throws -> Void) {
      self.init(name) { makeStore in
        let store = try makeStore()
        try body(store)
        try store.close()
      }
    }

    /// The promise.
    public var description: String { name }
  }

  /// Every promise.
  public static let checks: [Check] =
    sessionChecks + appendChecks + refusalChecks + readingChecks + effectChecks + deliveryChecks
    + forkChecks + snapshotChecks + lifeChecks
}

/// A promise that was not kept.
public struct ContractViolation: Error, CustomStringConvertible {
  /// What was expected, and what was there.
  public let description: String

  /// A violation described by `description`.
  public init(_ description: String) { self.description = description }
}

/// Throws unless both are the same.
func expectEqual<T: Equatable>(
  _ found: @autoclosure () throws -> T, _ expected: T, _ what: @autoclosure () -> String
) throws {
  let found = try found()
  guard found == expected else {
    throw ContractViolation("\(what()): expected \(expected), found \(found)")
  }
}

/// Throws unless `condition` holds.
func expect(_ condition: @autoclosure () throws -> Bool, _ what: @autoclosure () -> String) throws {
  guard try condition() else { throw ContractViolation(what()) }
}

/// Throws unless `body` throws an error that `isExpected`.
func expectRefusal(
  _ what: String, _ isExpected: (EventStoreError) -> Bool, _ body: () throws -> Void
) throws {
  do {
    try body()
  } catch let error as EventStoreError where isExpected(error) {
    return
  } catch {
    throw ContractViolation("\(what): refused for another reason: \(error)")
  }
  throw ContractViolation("\(what): not refused")
}

extension EventStoreError {
  var isInvalidAppend: Bool {
    switch self {
    case .invalidAppend: true
    default: false
    }
  }

  var isSessionExists: Bool {
    switch self {
    case .sessionExists: true
    default: false
    }
  }

  var isNoSuchEvent: Bool {
    switch self {
    case .noSuchEvent: true
    default: false
    }
  }

  var isNoSuchSession: Bool {
    switch self {
    case .noSuchSession: true
    default: false
    }
  }
}
