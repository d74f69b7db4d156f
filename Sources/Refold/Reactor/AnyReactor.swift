/// A reactor in the catalogue of a tool: its name, what people are told of it, and how to make it.
///
///     AnyReactor("The smallest reactor: a number.") { _ in CounterReactor() }
public struct AnyReactor: Sendable {
  /// The name under which its sessions are recorded.
  public let name: String
  /// A line for people.
  public let summary: String
  /// What `--set` may hand to it.
  public let settings: [Setting]
  private let factory: @Sendable (Settings) throws -> any Reactor
  private let examples: @Sendable () -> [[UInt8]]

  /// A key that `--set KEY=VALUE` may name.
  public struct Setting: Sendable {
    /// The key.
    public let key: String
    /// What it does, a line for people.
    public let summary: String

    /// A setting called `key`.
    public init(_ key: String, _ summary: String) {
      self.key = key
      self.summary = summary
    }
  }

  /// An entry for the reactor that `make` answers with.
  ///
  /// - Parameter make: is handed what `--set` gave, checked against `settings`; with none of it,
  ///   it must give a reactor that can replay, since inspection knows no settings.
  public init<R: Reactor>(
    _ summary: String, settings: [Setting] = [],
    make: @escaping @Sendable (Settings) throws -> R
  ) {
    self.name = R.name
    self.summary = summary
    self.settings = settings
    factory = make
    examples = {
      var codec = EventCodec()
      codec.userInfo[.showsSecrets] = true
      return R.exampleActions.compactMap { try? codec.encode($0) }
    }
  }

  /// An example line of input for each action that the reactor shows one of.
  public var exampleActions: [[UInt8]] { examples() }

  /// The reactor, made with `settings`.
  ///
  /// - Throws: `SettingsError` for a key that it does not know, and what its factory throws.
  public func make(_ settings: Settings = Settings()) throws -> any Reactor {
    let known = self.settings.map(\.key)
    if let unknown = settings.values.keys.sorted().first(where: { !known.contains($0) }) {
      throw SettingsError.unknownKey(unknown, reactor: name, known: known)
    }
    return try factory(settings)
  }
}

/// What `--set` hands to a reactor.
public struct Settings: Sendable {
  /// The values by key.
  public var values: [String: String]

  /// Settings of these values; none by default.
  public init(_ values: [String: String] = [:]) { self.values = values }

  /// The value of `key`, or nil.
  public subscript(key: String) -> String? { values[key] }
}

/// A setting that a reactor cannot use.
public enum SettingsError: Error, Sendable, CustomStringConvertible {
  /// There is no such key.
  case unknownKey(String, reactor: String, known: [String])
  /// The value does not mean anything.
  case invalidValue(String, key: String, expected: String)

  /// What was wrong, and what is possible.
  public var description: String {
    switch self {
    case .unknownKey(let key, let reactor, let known):
      known.isEmpty
        ? "reactor \(reactor) has no settings, so not \"\(key)\" either"
        : "reactor \(reactor) has no setting \"\(key)\"; it knows \(known.joined(separator: ", "))"
    case .invalidValue(let value, let key, let expected):
      "\"\(value)\" is no value for the setting \"\(key)\": expected \(expected)"
    }
  }
}
