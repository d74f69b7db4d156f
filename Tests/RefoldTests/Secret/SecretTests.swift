import EventStoreCore
import Foundation
import Synchronization
import Testing

@testable import Refold

@Suite("Secrets")
struct SecretTests {
  private static let token = "tok-4f9c0d1e-never-in-the-clear"
  private let secret = Secret(token)
  private let codec = EventCodec(secretKey: SecretKey { [UInt8](repeating: 7, count: 32) })

  private struct Keychain: Codable, Hashable {
    var token: Secret<String>?
    var codes: [Secret<Int>] = []
    var keys: [String: Secret<[UInt8]>] = [:]
  }

  private enum Action: Codable, Equatable {
    case signIn(token: Secret<String>, remember: Bool)
    case signOut
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test func are_usable_in_code() {
    #expect(secret.value == Self.token)
    #expect(secret == Secret(Self.token))
    #expect(secret != Secret("another"))
  }

  @Test func are_written_as_digests_by_every_encoder() throws {
    let keychain = Keychain(
      token: secret, codes: [Secret(47_110_815_471_108)],
      keys: ["k": Secret(Array(Self.token.utf8))])
    let ours = text(try codec.encode(keychain))
    let foundations = text(Array(try JSONEncoder().encode(keychain)))
    for json in [ours, foundations] {
      #expect(!json.contains(Self.token))
      #expect(!json.contains("47110815471108"))
      #expect(json.components(separatedBy: "hmac-sha256").count == 4)
    }
    // HMAC-SHA-256 of the JSON string, with 32 bytes of 7 for a key.
    let digest = KeyedDigest(key: [UInt8](repeating: 7, count: 32))
      .digest(of: Array("\"\(Self.token)\"".utf8))
    #expect(ours.contains(#""token":{"hmac-sha256":"\#(digest)"}"#))
  }

  @Test func the_same_key_gives_the_same_digest_and_another_key_another() throws {
    let same = EventCodec(secretKey: SecretKey { [UInt8](repeating: 7, count: 32) })
    #expect(try same.encode(secret) == codec.encode(secret))
    let other = EventCodec(secretKey: SecretKey { [UInt8](repeating: 8, count: 32) })
    #expect(try other.encode(secret) != codec.encode(secret))
    #expect(try EventCodec().encode(secret) == EventCodec().encode(secret))
  }

  @Test func come_back_from_a_log_without_their_value_and_encode_to_the_same_bytes() throws {
    let bytes = try codec.encode(secret)
    let read = try EventCodec().decode(Secret<String>.self, from: bytes)
    #expect(read.value == nil)
    #expect(try EventCodec().encode(read) == bytes)
    #expect(read != secret)
    #expect(try read == EventCodec().decode(Secret<String>.self, from: bytes))
  }

  @Test func no_description_shows_them() {
    let holder = Keychain(token: secret, codes: [Secret(47_110_815_471_108)])
    var dumped = ""
    dump(holder, to: &dumped)
    let texts = [
      "\(secret)", String(reflecting: secret), "\(holder)", String(reflecting: holder), dumped,
      "\(Optional(secret) as Any)", "\([secret])",
      "\(Action.signIn(token: secret, remember: true))",
    ]
    for text in texts {
      #expect(!text.contains("tok-"), "\(text)")
      #expect(!text.contains("47110815471108"), "\(text)")
    }
    #expect("\(secret)" == "Secret(hidden)")
  }

  @Test(arguments: [
    #"{"signIn":{"token":"tok-x","remember":"tok-yes"}}"#,
    #"{"signIn":{"token":["tok-x"],"remember":true}}"#,
    #"{"signIn":{"token":{"tok-x":1},"remember":true}}"#,
    #"{"signIn":{"token":12345678,"remember":true}}"#,
    #"{"signIn":{"token":{"hmac-sha256":"tok-x"},"remember":true}}"#,
    #"{"signIn":{"token":null,"remember":true}}"#,
  ])
  func an_error_about_one_does_not_say_what_was_there(_ line: String) throws {
    let error = #expect(throws: CodecError.self) {
      try codec.acceptInputAction(Action.self, from: Array(line.utf8))
    }
    let message = try #require(error).description
    #expect(!message.contains("tok-x"), "\(message)")
    #expect(!message.contains("12345678"), "\(message)")
    #expect(message.contains("/signIn"), "\(message)")
  }

  @Test func an_action_with_one_is_kept_as_its_own_encoding() throws {
    let line = #" {"signIn": {"token":"\#(Self.token)", "remember":true}}"#
    let (action, payload) = try codec.acceptInputAction(Action.self, from: Array(line.utf8))
    #expect(action == .signIn(token: secret, remember: true))
    #expect(try payload == codec.encode(action))
    #expect(!text(payload).contains(Self.token))
    let again = try codec.acceptInputAction(Action.self, from: payload)
    #expect(again.payload == payload)
  }

  @Test func an_action_without_one_is_kept_as_the_bytes_that_came() throws {
    for line in ["\"signOut\"", #" {"signOut" : {} }"#] {
      let (_, payload) = try codec.acceptInputAction(Action.self, from: Array(line.utf8))
      #expect(text(payload) == line)
    }
  }

  @Test func a_key_that_cannot_be_had_is_an_error_and_is_asked_for_again() throws {
    struct Lost: Error {}
    let isThere = LockedFlag()
    let codec = EventCodec(
      secretKey: SecretKey {
        guard isThere.value else { throw Lost() }
        return [1]
      })
    #expect(throws: CodecError.self) { try codec.encode(secret) }
    isThere.value = true
    #expect(try !codec.encode(secret).isEmpty)
  }
}

@Suite("Secrets in a session")
struct SecretSessionTests {
  private struct VaultReactor: Reactor {
    enum Action: Codable, Sendable {
      case keep(Secret<String>)
      case use
    }
    enum Mutation: Codable, Sendable {
      case setToken(Secret<String>)
      case setLength(Int)
    }
    struct State: Codable, Sendable {
      var token: Secret<String>?
      var length = 0
    }

    let initialState = State()

    func mutate(action: Action, state: State) -> Effect<Mutation> {
      switch action {
      case .keep(let token): .just(.setToken(token))
      case .use: .just(.setLength(state.token?.value?.count ?? -1))
      }
    }

    func reduce(state: inout State, mutation: Mutation) {
      switch mutation {
      case .setToken(let token): state.token = token
      case .setLength(let length): state.length = length
      }
    }
  }

  @Test func live_they_are_there_and_reopened_their_digest_is() async throws {
    let store = InMemoryEventStore()
    var options = SessionOptions()
    options.secretKey = SecretKey { Array(0..<32) }
    let session = try await Session.open(VaultReactor(), named: "s", in: store, options: options)
    try await session.send(.keep(Secret("tok-live")))
    try await session.send(.use)
    #expect(session.currentState.length == 8)
    let codec = EventCodec(secretKey: options.secretKey)
    let live = try codec.encode(session.currentState)
    try await session.close()

    for event in try log(of: store) {
      #expect(!String(decoding: event, as: UTF8.self).contains("tok-live"))
    }
    let again = try await Session.open(VaultReactor(), named: "s", in: store)
    #expect(again.currentState.token?.value == nil)
    #expect(try EventCodec().encode(again.currentState) == live)
    try await again.send(.use)
    #expect(again.currentState.length == -1)
    try await again.close()
  }

  private func log(of store: InMemoryEventStore) throws -> [[UInt8]] {
    var payloads: [[UInt8]] = []
    let info = try #require(try store.session(named: SessionName("s")))
    try store.forEachEvent(of: info.id) { _, payload in
      payloads.append(payload.withUnsafeBytes { Array($0) })
    }
    return payloads
  }
}

/// A flag that closures share.
private final class LockedFlag: Sendable {
  private let storage = Mutex(false)
  var value: Bool {
    get { storage.withLock { $0 } }
    set { storage.withLock { $0 = newValue } }
  }
}
