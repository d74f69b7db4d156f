import EventStoreCore
import EventStoreSQLite
import EventStoreTesting
import Foundation

/// A store with sessions to import, fork and export, and what these commands come to when nobody
/// kills them.
final class CommandTrials: Sendable {
  let shell: Shell
  let tally = Tally()
  /// The session `c`, and its log as a file.
  let log: RecordedLog
  let logFile: String

  /// How many effects the session `p` has open.
  static let open = 300

  init(actions: Int) throws {
    shell = try Shell()
    var random = SeededGenerator(seed: 1)
    let input = CounterInput(
      actions, sessions: ["c"], hasIDs: false, isEnvelope: false, &random)
    let errors = shell.path("errors")
    let run = try Child(
      ["run", "counter", "--session", "c", "--emit", "none", "--store", shell.store],
      input: .file(shell.write(input.lines.map(\.text).joined(), to: "input")), errors: errors)
    try require(try run.wait() == .code(0), run.errorText)
    let effect: [Shell.Recorded] = [
      (.action, 0, 0, #"{"increase":{"by":2}}"#), (.mutation, 1, 0, #"{"add":{"_0":2}}"#),
      (.pending, 1, 0, #"{"owner":5000000000}"#),
    ]
    try shell.record(
      "p",
      (0..<Self.open).flatMap { index in
        effect.map {
          ($0.kind, $0.cause == 0 ? 0 : UInt32(3 * index + 1), $0.milliseconds, $0.payload)
        }
      })
    log = try RecordedLog.named("c", in: shell.store)
    logFile = shell.path("c.log")
    let export = try Child(
      ["export", "c", "--as", "log", "-o", logFile, "--store", shell.store], errors: errors)
    try require(try export.wait() == .code(0), export.errorText)
  }

  /// How long `arguments` take in a copy of the store, in microseconds.
  func duration(of arguments: (Shell) -> [String]) throws -> Int {
    let copy = try self.copy()
    let clock = ContinuousClock()
    let time = try clock.measure { _ = try run(arguments(copy), in: copy) }
    return Int(time / .microseconds(1))
  }

  /// A folder with a copy of the store.
  func copy() throws -> Shell {
    let copy = try Shell()
    try FileManager.default.copyItem(atPath: shell.store, toPath: copy.store)
    return copy
  }

  /// Runs a command on the store of `shell` to its end.
  func run(_ arguments: [String], in shell: Shell) throws -> (ending: Child.Ending, child: Child) {
    let child = try start(arguments, in: shell)
    return (try child.wait(), child)
  }

  /// Kills a command on the store of `shell` after some time.
  func kill(_ arguments: [String], in shell: Shell, after microseconds: Int) throws {
    let child = try start(arguments, in: shell)
    child.read(microseconds: microseconds)
    let ending = try child.kill9()
    tally.add("kills", ending == .signal(SIGKILL) ? 1 : 0)
    try require(
      ending == .signal(SIGKILL) || ending == .code(0), "\(ending): \(child.errorText)")
  }

  private func start(_ arguments: [String], in shell: Shell) throws -> Child {
    try Child(arguments + ["--store", shell.store], errors: shell.path("errors"))
  }
}
