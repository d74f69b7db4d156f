import Refold

/// Who is signed in, shared by reactors: the source of truth in this process.
///
/// A reactor merges `effect` in `transform(mutation:)`. What the store says when a session opens
/// is logged where it differs from what the log says: a session that was signed in, opened with a
/// store in which nobody is, becomes signed out, by a `setUser` that the log shows.
public final class UserStore: Sendable {
  private let relay: BehaviorRelay<User?>

  /// A store in which `user` is signed in; nobody by default.
  public init(_ user: User? = nil) { relay = BehaviorRelay(user) }

  /// Who is signed in.
  public var user: User? { relay.value }

  /// Whether anybody is.
  public var isLoggedIn: Bool { user != nil }

  /// Signs `user` in.
  public func setUser(_ user: User) { relay.accept(user) }

  /// Signs out.
  public func clear() { relay.accept(nil) }

  /// Who is signed in now, then whenever that is said anew.
  public var effect: Effect<User?> { relay.effect }
}

extension UserStore {
  /// The key of the setting that signs in before the first action.
  static let settingKey = "user"

  /// A store in which the user is signed in whom `settings` name, if they name one.
  ///
  /// - Throws: `SettingsError.invalidValue` for an id that the catalogue does not know.
  convenience init(_ settings: Settings, users: [User] = MarketCatalogue.users) throws {
    guard let id = settings[Self.settingKey] else {
      self.init()
      return
    }
    guard let user = users.first(where: { $0.id == id }) else {
      throw SettingsError.invalidValue(
        id, key: Self.settingKey,
        expected: "one of \(users.map(\.id).joined(separator: ", "))")
    }
    self.init(user)
  }
}
