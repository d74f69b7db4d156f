import Foundation
import Testing

@Suite("Signing in from the command line", .timeLimit(.minutes(5)))
struct SignInRunTests {
  let shell: Shell

  init() throws { shell = try Shell() }

  @Test func lasts_from_process_to_process_in_a_token_file() async throws {
    #expect(try await check("a1") == "anonymous")
    try await run("login", "l", #"{"googleLoginCompleted":{"idToken":"google-u3"}}"#)
    #expect(try await check("a2") == "authenticated")
    let post = try await run("create-post", "c", #"{"didSelectImage":{"image":"YQ=="}}"#)
    #expect(post.contains("setImageUploadURL"))
    try await run("profile", "p", #""logoutButtonTapped""#)
    #expect(!FileManager.default.fileExists(atPath: shell.path("token")))
    #expect(try await check("a3") == "anonymous")
  }

  @Test func as_the_user_of_a_setting_is_a_sign_in_that_can_be_deleted() async throws {
    let log = try await run("auth", "a", #""checkAuth""#, "--set", "user=u2")
    #expect(log.contains("authenticated") && log.contains("Jun"))
    let deleted = try await run("profile", "p", #""deleteAccountTapped""#, "--set", "user=u2")
    #expect(!deleted.contains("setError"))
    #expect(!FileManager.default.fileExists(atPath: shell.path("token")))
  }

  @Test func with_a_token_file_that_others_may_read_is_refused_with_what_to_do() async throws {
    try shell.write("{}", to: "token")
    let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o644]
    try FileManager.default.setAttributes(attributes, ofItemAtPath: shell.path("token"))
    let log = try await run("auth", "a", #""checkAuth""#)
    #expect(log.contains("setError") && log.contains("chmod 600"))
  }

  /// What the device's token is worth: the name of the `AuthState`.
  private func check(_ session: String) async throws -> String? {
    let log = try await run("auth", session, #""checkAuth""#)
    return ["anonymous", "authenticated", "unauthenticated"].first { log.contains("{\"\($0)\":") }
  }

  /// The events that `action` led to.
  @discardableResult
  private func run(
    _ reactor: String, _ session: String, _ action: String, _ more: String...
  ) async throws -> String {
    let run = try await shell.refold(
      ["run", reactor, "--session", session, "--set", "tokens=\(shell.path("token"))"] + more,
      input: Array("\(action)\n".utf8))
    #expect(run.code == 0, "\(run.error)")
    return run.output
  }
}
