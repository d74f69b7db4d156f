import Foundation
import Refold
import SampleReactors
import Testing

@Suite("Where a token is kept")
struct TokenStoreTests {
  private let folder = TemporaryFolder()

  private var stores: [any TokenStore] {
    [MemoryTokenStore(), FileTokenStore(path: folder.path("token"))]
  }

  @Test func every_store_gives_back_what_it_keeps() throws {
    for store in stores {
      #expect(try store.token() == nil)
      try store.clear()
      let token = AuthToken(
        access: Secret("a\u{0}\"ü"), refresh: Secret(""), isAnonymous: true,
        expiresAt: Date(timeIntervalSinceReferenceDate: 802_137_600.123456789))
      try store.save(.named("old"))
      try store.save(token)
      #expect(try store.token() == token)
      try store.clear()
      #expect(try store.token() == nil)
    }
  }

  @Test func a_file_is_there_for_the_next_process_and_for_its_owner_alone() throws {
    let path = folder.path("token")
    try FileTokenStore(path: path).save(.named("kept"))
    #expect(try FileTokenStore(path: path).token() == .named("kept"))
    #expect(try mode(of: path) == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["token"])
  }

  @Test(arguments: [0o640, 0o604, 0o644, 0o620])
  func a_file_that_others_may_use_is_refused_until_it_is_replaced(_ mode: Int) throws {
    let path = folder.path("token")
    let store = FileTokenStore(path: path)
    try store.save(.named("seen"))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    let error = try #require(throws: AppError.self) { try store.token() }
    let text = "\(error)"
    #expect(text.contains(path) && text.contains("chmod 600"))
    #expect(!text.contains("seen"))
    try store.save(.named("new"))
    #expect(try self.mode(of: path) == 0o600)
    #expect(try store.token() == .named("new"))
  }

  @Test func a_missing_folder_is_a_missing_keychain() {
    let store = FileTokenStore(path: folder.path("not/there/token"))
    #expect(throws: AppError.keychainNotFound) { try store.token() }
    #expect(throws: AppError.keychainNotFound) { try store.save(.named("t")) }
    #expect(throws: AppError.keychainNotFound) { try store.clear() }
  }

  @Test func what_is_no_token_is_named_and_not_shown() throws {
    let path = folder.path("token")
    let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
    for text in ["", "{\"access\":\"s3cret\"}", "s3cret", String(repeating: "x", count: 1 << 17)] {
      #expect(
        FileManager.default.createFile(
          atPath: path, contents: Data(text.utf8), attributes: attributes))
      let error = try #require(throws: AppError.self) { try FileTokenStore(path: path).token() }
      #expect("\(error)".contains(path))
      #expect(!"\(error)".contains("s3cret"))
    }
    #expect(throws: AppError.self) { try FileTokenStore(path: folder.path).token() }
    #expect(throws: AppError.self) { try FileTokenStore(path: folder.path).clear() }
  }

  @Test func a_pipe_in_the_file_s_place_keeps_nobody_waiting() throws {
    let path = folder.path("token")
    #expect(mkfifo(path, 0o600) == 0)
    #expect(throws: AppError.self) { try FileTokenStore(path: path).token() }
  }

  @Test func a_token_that_was_read_back_from_a_log_cannot_be_kept() throws {
    let codec = EventCodec()
    let hidden = try codec.decode(AuthToken.self, from: codec.encode(AuthToken.named("t")))
    #expect(throws: AppError.self) { try FileTokenStore(path: folder.path("t")).save(hidden) }
  }

  private func mode(of path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.posixPermissions] as? Int)
  }
}

/// A folder that is removed with the test.
final class TemporaryFolder: Sendable {
  let path: String

  init() {
    path = NSTemporaryDirectory() + "samples-\(UUID().uuidString)"
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func path(_ name: String) -> String { "\(path)/\(name)" }
}
