import Refold

/// Who is signed in, shared by reactors: the source of truth in this process.
///
/// A reactor merges `effect` in `transform(mutation:)`. What the store says when a session opens
/// is logged where it differs from what the log says: a session that was signed in, opened with a
/// store in which nobody is, becomes signed out, by a `setUser` that the log shows.
public final class UserStore: Sendable {
  private let relay: BehaviorRelay<Word>

  private enum Word: Sendable {
    /// Nothing was said yet: whoever the log says is signed in stays so.
    case nothing
    case user(User?)

    var user: User?? {
      switch self {
      case .nothing: nil
      case .user(let user): .some(user)
      }
    }
  }

  /// A store in which `user` is signed in; nobody by default.
  public init(_ user: User? = nil) { relay = BehaviorRelay(.user(user)) }

  private init(_ word: Word) { relay = BehaviorRelay(word) }

  /// A store that does not know who is signed in until it is told.
  public static var unknown: UserStore { UserStore(Word.nothing) }

  /// Who is signed in, as far as this store knows.
  public var user: User? { relay.value.user ?? nil }

  /// Whether anybody is.
  public var isLoggedIn: Bool { user != nil }

  /// Signs `user` in.
  public func setUser(_ user: User) { relay.accept(.user(user)) }

  /// Signs out.
  public func clear() { relay.accept(.user(nil)) }

  /// Who is signed in now, if that is known, then whenever it is said anew.
  public var effect: Effect<User?> { relay.effect.compactMap(\.user) }
}

extension UserStore {
  /// The key of the setting that signs in before the first action.
  static let settingKey = "user"

  /// A store in which the user is signed in whom `settings` name; where they name nobody, whoever
  /// was signed in stays so.
  ///
  /// - Throws: `SettingsError.invalidValue` for an id that the catalogue does not know.
  static func from(_ settings: Settings, users: [User] = MarketCatalogue.users) throws -> UserStore
  {
    guard let id = settings[settingKey] else { return .unknown }
    guard let user = users.first(where: { $0.id == id }) else {
      throw SettingsError.invalidValue(
        id, key: settingKey, expected: "one of \(users.map(\.id).joined(separator: ", "))")
    }
    return UserStore(user)
  }
}
