import Foundation
import Refold
import Testing

@testable import RefoldTools

private struct VaultReactor: Reactor {
  enum Action: Codable, Sendable {
    case keep(Secret<String>)
    case use(times: Int)
  }
  enum Mutation: Codable, Sendable { case setToken(Secret<String>) }
  struct State: Codable, Sendable { var token: Secret<String>? }

  let initialState = State()
  static var exampleActions: [Action] { [.keep(Secret("example")), .use(times: 1)] }

  func mutate(action: Action, state: State) -> Effect<Mutation> {
    switch action {
    case .keep(let token): .just(.setToken(token))
    case .use: .empty
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .setToken(let token): state.token = token
    }
  }
}

@Suite("Lines with secrets")
struct SecretLineTests {
  private let entry = AnyReactor("keeps a token") { _ in VaultReactor() }
  private var decoder: ActionDecoder<VaultReactor> { ActionDecoder(entry, EventCodec()) }

  @Test func examples_show_how_one_is_written() {
    let lines = entry.exampleActions.map { String(decoding: $0, as: UTF8.self) }
    #expect(lines == [#"{"keep":{"_0":"example"}}"#, #"{"use":{"times":1}}"#])
  }

  @Test(arguments: [
    #"{"keep":"tok-x"}"#, #"{"keep":["tok-x"]}"#, #"{"keep":{"tok-x":1}}"#,
    #"{"keep":{"_0":["tok-x"]}}"#, #"{"keep":{"_0":"a","tok-x":1}}"#,
    #"{"keep":{"_0":"a"},"tok-x":1}"#,
    #""tok-x""#, #"{"tok-x":{}}"#, #"{"use":"tok-x"}"#, #"{"use":{"times":"tok-x"}}"#,
    #"{"use":{"times":1,"times":"tok-x"}}"#, #"{"tok-x":1,"tok-x":2}"#,
  ])
  func nothing_of_a_bad_one_is_quoted(_ line: String) throws {
    let error = #expect(throws: BadLine.self) {
      try decoder.decode(Array(line.utf8), isEnvelope: false)
    }
    let message = try "\(#require(error))"
    #expect(!message.contains("tok-x"), "\(message)")
    if line.hasPrefix(#"{"keep""#), !line.contains("},") {
      #expect(message.hasSuffix(#"For example: {"keep":{"_0":"example"}}"#), "\(message)")
    }
  }

  @Test func a_typo_in_the_name_of_an_action_is_still_told() throws {
    let error = #expect(throws: BadLine.self) {
      try decoder.decode(Array(#"{"kepp":{"_0":"tok-x"}}"#.utf8), isEnvelope: false)
    }
    #expect(
      try "\(#require(error))"
        == #"unknown action "kepp", expected one of keep, use. Did you mean keep?"#)
  }

  @Test func the_same_token_is_the_same_delivery_under_the_same_key() throws {
    let line = Array(#"{"id":"d1","action":{"keep":{"_0":"tok-x"}}}"#.utf8)
    let key = SecretKey { [1, 2, 3] }
    let deliveries = try (0..<2).map { _ in
      try ActionDecoder<VaultReactor>(entry, EventCodec(secretKey: key))
        .decode(line, isEnvelope: true).delivery
    }
    #expect(deliveries[0] != nil)
    #expect(deliveries[0] == deliveries[1])
  }
}

@Suite("The file of a store's key")
struct SecretKeyFileTests {
  let shell: Shell
  private var path: String { shell.store + "-key" }

  init() throws { shell = try Shell() }

  private func digest() throws -> [UInt8] {
    try EventCodec(secretKey: SecretKeyFile(beside: shell.store).key).encode(Secret("token"))
  }

  @Test func is_made_when_the_first_secret_is_written_and_gives_the_same_digests_after() throws {
    let key = SecretKeyFile(beside: shell.store)
    #expect(!FileManager.default.fileExists(atPath: path))
    let first = try EventCodec(secretKey: key.key).encode(Secret("token"))
    #expect(try digest() == first)
    #expect(try shell.read("refold.sqlite-key").count == 32)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    let files = try FileManager.default.contentsOfDirectory(atPath: shell.folder.path)
    #expect(files == ["refold.sqlite-key"], "a draft was left")
  }

  @Test func many_who_make_it_at_once_agree() async throws {
    let digests = try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for _ in 0..<50 { group.addTask { try digest() } }
      return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
    }
    #expect(digests.count == 1)
  }

  @Test func a_wrong_file_is_named_and_left_alone() throws {
    try shell.write("short", to: "refold.sqlite-key")
    let error = #expect(throws: CodecError.self) { try digest() }
    #expect(try "\(#require(error))".contains("refold.sqlite-key is not a key"))
    #expect(try shell.read("refold.sqlite-key") == Array("short".utf8))
  }

  @Test func a_link_in_its_place_is_not_followed() throws {
    try shell.write(String(repeating: "k", count: 32), to: "elsewhere")
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: shell.path("elsewhere"))
    #expect(throws: CodecError.self) { try digest() }
  }
}
