import Foundation
import Refold
import SampleReactors
import Synchronization

/// The market's services, answering what a test says.
final class StubMarket: AuthService, Top10Service, RegistrationService {
  struct Answers: Sendable {
    var signInAnonymously: @Sendable () async throws -> AuthToken = {
      .named("new", isAnonymous: true)
    }
    var signIn:
      @Sendable (AuthProvider, Secret<String>, Secret<String>?) async throws -> AuthToken =
        { provider, _, _ in .named("\(provider)") }
    var me: @Sendable () async throws -> User? = { .mina }
    var signOut: @Sendable () async throws -> Void = {}
    var deleteAccount: @Sendable () async throws -> Void = {}
    var top10: @Sendable () async throws -> [Post] = { Array(MarketCatalogue.posts.prefix(10)) }
    var influencers: @Sendable (String) async throws -> [Influencer] = { keyword in
      MarketCatalogue.influencers.filter { $0.name.contains(keyword) }
    }
    var upload: @Sendable (Data) async throws -> URL = { image in
      guard let url = URL(string: "market://images/\(image.count)") else {
        throw AppError.badRequest(reason: "no URL")
      }
      return url
    }
    var create: @Sendable (PostDraft) async throws -> Post = { _ in MarketCatalogue.posts[0] }
  }

  private let answers: Mutex<Answers>
  private let log = Mutex<[String]>([])

  init(_ change: (inout Answers) -> Void = { _ in }) {
    var answers = Answers()
    change(&answers)
    self.answers = Mutex(answers)
  }

  /// Other answers from now on.
  func change(_ change: (inout Answers) -> Void) { answers.withLock { change(&$0) } }

  /// What was asked for, in order.
  var calls: [String] { log.withLock { $0 } }

  private func answer<T: Sendable>(_ call: String, _ part: KeyPath<Answers, T>) -> T {
    log.withLock { $0.append(call) }
    return answers.withLock { $0[keyPath: part] }
  }

  func signInAnonymously() async throws -> AuthToken {
    try await answer("signInAnonymously", \.signInAnonymously)()
  }

  func signIn(with provider: AuthProvider, idToken: Secret<String>) async throws -> AuthToken {
    try await signIn(with: provider, idToken: idToken, nonce: nil)
  }

  func signIn(
    with provider: AuthProvider, idToken: Secret<String>, nonce: Secret<String>?
  ) async throws -> AuthToken {
    try await answer("signIn \(provider)", \.signIn)(provider, idToken, nonce)
  }

  func me() async throws -> User? { try await answer("me", \.me)() }

  func signOut() async throws { try await answer("signOut", \.signOut)() }

  func deleteAccount() async throws { try await answer("deleteAccount", \.deleteAccount)() }

  func top10Posts() async throws -> [Post] { try await answer("top10", \.top10)() }

  func influencers(matching keyword: String) async throws -> [Influencer] {
    try await answer("influencers \(keyword)", \.influencers)(keyword)
  }

  func upload(_ image: Data) async throws -> URL {
    try await answer("upload \(image.count)", \.upload)(image)
  }

  func create(_ draft: PostDraft) async throws -> Post {
    try await answer("create \(draft.productName)", \.create)(draft)
  }
}

/// A token store that cannot be read, written or cleared.
struct BrokenTokenStore: TokenStore {
  var error = AppError.keychainNotFound

  func token() throws -> AuthToken? { throw error }
  func save(_ token: AuthToken) throws { throw error }
  func clear() throws { throw error }
}
