import Foundation
import Testing

/// A login from the command line, and then every way to get something out of the store: no secret
/// comes out of any.
@Suite("Secrets of a login", .timeLimit(.minutes(5)))
struct SecretLeakTests {
  let shell: Shell
  private let tokenFile = "device-token"

  init() throws { shell = try Shell() }

  @Test func are_nowhere_but_in_the_token_file() async throws {
    let run = try LiveRun(
      shell,
      [
        "run", "login", "--session", "l", "--sequential", "--emit", "states",
        "--set", "tokens=\(shell.path(tokenFile))", "--rejects", shell.path("rejects"),
      ])
    try run.send(
      """
      {"googleLoginCompleted":{"idToken":"google-nobody"}}
      {"googleLoginCompleted":{"idToken":"google-u3"}}
      {"googleLoginCompleted":{}}
      "appleLoginTapped"

      """)
    await run.waitForLines(7)
    var secrets = try ["google-nobody", "google-u3"] + keptSecrets()
    try run.send("{\"appleLoginCompleted\":{\"idToken\":\"apple-u4\"}}\n")
    await run.waitForLines(10)
    secrets += try ["apple-u4"] + keptSecrets()
    let search = SecretSearch(secrets)
    #expect(search.secrets.count == 7)

    // While the run goes on, what it wrote is in the -wal file.
    let files = try expectNoLeaksInFiles(search)
    #expect(files.contains { $0.hasSuffix("-wal") })
    try run.endInput()
    #expect(await run.wait() == 65)
    let files2 = try expectNoLeaksInFiles(search)
    #expect(files2.contains("rejects") && files2.contains("refold.sqlite"))
    search.expectNone(in: Array(run.output.joined(separator: "\n").utf8), "the output of run")
    search.expectNone(in: Array(run.errorText().utf8), "the errors of run")
    try await expectNoLeaksInCommands(search)
    // That the search finds what is there.
    #expect(try search.found(in: shell.read(tokenFile)).count == 2)
  }

  @Test func of_a_line_that_is_not_accepted_are_not_in_what_is_said_about_it() async throws {
    let search = SecretSearch(["s3cret-of-somebody"])
    for line in [
      #"{"googleLoginCompleted":{"idToken":"s3cret-of-somebody","more":1}}"#,
      #"{"googleLoginCompleted":{"idToken":["s3cret-of-somebody"]}}"#,
      #"{"googleLoginCompleted":{"idToken":{"value":"s3cret-of-somebody"}}}"#,
      #"{"googleLoginCompleted":{"idToken":"s3cret-of-somebody""#,
    ] {
      let run = try await shell.refold("run", "login", "--session", "r", input: line + "\n")
      #expect(run.code == 65)
      search.expectNone(in: Array((run.output + run.error).utf8), "what is said of \(line)")
    }
    _ = try expectNoLeaksInFiles(search)
  }

  /// The two texts of the token that the device has now.
  private func keptSecrets() throws -> [String] {
    let object = try JSONSerialization.jsonObject(with: Data(try shell.read(tokenFile)))
    let fields = try #require(object as? [String: Any])
    return try ["access", "refresh"].map { try #require(fields[$0] as? String) }
  }

  /// Every file of the test's folder but that of the token; their names.
  private func expectNoLeaksInFiles(_ search: SecretSearch) throws -> [String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: shell.folder.path)
      .filter { $0 != tokenFile }
    for name in names { search.expectNone(in: try shell.read(name), name) }
    return names
  }

  private func expectNoLeaksInCommands(_ search: SecretSearch) async throws {
    let last = try await shell.refold("log", "l", "--json").lines.count
    #expect(last > 10)
    var commands = [
      ["log", "l"], ["log", "l", "--json"], ["sessions"], ["sessions", "--json"], ["verify"],
      ["replay", "l"], ["diff", "l", "0", "end"],
    ]
    for seq in 1...last {
      commands += [["show", "l", "\(seq)"], ["show", "l", "\(seq)", "--json"]]
    }
    for format in ["state", "states", "log"] { commands.append(["export", "l", "--as", format]) }
    for command in commands {
      let result = try await shell.refold(command)
      #expect(result.code == 0, "\(command): \(result.error)")
      search.expectNone(in: Array((result.output + result.error).utf8), "\(command)")
    }
    // Formats that may come to be.
    for format in ["html", "csv"] {
      let result = try await shell.refold("export", "l", "--as", format)
      search.expectNone(in: Array((result.output + result.error).utf8), "export as \(format)")
    }
  }
}

/// Finds secrets in bytes: as they are, in hexadecimal, and in base64 at any offset.
struct SecretSearch {
  let secrets: [String]
  private let forms: [(secret: String, form: Data)]

  init(_ secrets: [String]) {
    self.secrets = secrets
    forms = secrets.flatMap { secret in Self.forms(of: secret).map { (secret, Data($0.utf8)) } }
  }

  private static func forms(of secret: String) -> [String] {
    let hex = secret.utf8.map { String(format: "%02x", $0) }.joined()
    let base64 = (0..<3).map { offset in
      // What stands before shifts the digits; those that it has a part in are left out.
      let bytes = [UInt8](repeating: 0, count: offset) + Array(secret.utf8)
      let whole = Data(bytes.prefix(bytes.count / 3 * 3)).base64EncodedString()
      return String(whole.dropFirst(offset == 0 ? 0 : 4))
    }
    let url = base64.map {
      $0.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
    }
    return [secret, hex, hex.uppercased()] + base64 + url
  }

  /// The secrets that are in `bytes` in some form.
  func found(in bytes: [UInt8]) -> Set<String> {
    let data = Data(bytes)
    return Set(forms.filter { data.range(of: $0.form) != nil }.map(\.secret))
  }

  func expectNone(in bytes: [UInt8], _ place: String) {
    #expect(found(in: bytes).isEmpty, "a secret is in \(place)")
  }
}
