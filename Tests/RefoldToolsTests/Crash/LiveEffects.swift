import EventStoreCore
import EventStoreTesting
import Foundation

/// A session of a livestream with effects that go on in a process, and others that come to it.
struct LiveEffects {
  let shell: Shell
  let server: SilentServer

  init(_ server: SilentServer) throws {
    shell = try Shell()
    self.server = server
  }

  /// What is started first; its input stays open, and its effects go on.
  func start(_ actions: String..., asks api: String? = nil) throws -> Child {
    let child = try Child(
      ["run", "livestream", "--session", "s", "--emit", "acks", "--store", shell.store]
        + ["--set", "api=\(api ?? server.url)"], input: .open, errors: shell.path("first"))
    for action in actions { child.send("\"\(action)\"\n") }
    try require(try child.read(lines: actions.count), "the first run ended: \(child.errorText)")
    return child
  }

  /// Another process on the same session, or the one in `store`, which sends something.
  func other(_ options: [String], store: String? = nil) throws -> Child {
    let name = "other-\(UUID().uuidString)"
    return try Child(
      ["run", "livestream", "--session", "s", "--emit", "none", "--store", store ?? shell.store]
        + options, input: .file(shell.write("\"switchCamera\"\n", to: name)),
      errors: shell.path("\(name).errors"))
  }

  /// Waits until `child` has come to a good end.
  /// - Returns: its messages.
  @discardableResult
  func end(_ child: Child) throws -> String {
    let ending = try child.wait()
    try require(ending == .code(0), "\(ending): \(child.errorText)")
    return child.errorText
  }

  /// Throws unless the tool tells of these effects, and no others.
  func expect(
    running: [Int], interrupted: [Int], session: String = "s", store: String? = nil,
    _ when: String
  ) throws {
    let tool = try Child(
      ["sessions", "--json", "--store", store ?? shell.store], errors: shell.path("errors"))
    try end(tool)
    let list = { (seqs: [Int]) in "[\(seqs.map(String.init).joined(separator: ","))]" }
    let told = tool.lines.first { $0.hasPrefix("{\"session\":\"\(session)\"") } ?? ""
    try require(
      told.contains(
        "\"running\":\(list(running)),\"interrupted\":\(list(interrupted))"),
      "\(when), \(running) should run and \(interrupted) be interrupted: \(tool.lines)")
  }

  /// What the log says of effects.
  func log() throws -> EffectLog { try EffectLog(RecordedLog.named("s", in: shell.store)) }
}
