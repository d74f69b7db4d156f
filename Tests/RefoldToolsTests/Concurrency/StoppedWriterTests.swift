import EventStoreTesting
import Foundation
import Testing

/// A process that is stopped, not ended, while it holds the writer lock: by a debugger, by Ctrl-Z, by a
/// machine that swaps.
@Suite(
  "A writer stopped in the middle of its transaction", .timeLimit(.minutes(Trials.minutes(10))))
struct StoppedWriterTests {
  let shell: Shell

  init() throws { shell = try Shell() }

  @Test func keeps_writers_waiting_as_long_as_they_were_told_and_readers_not_at_all() async throws {
    let setUp = try await shell.bash(
      #"""
      for i in $(seq 8000); do echo '{"increase":{"by":1}}'; done > actions
      refold run counter --session s --emit none --store there.sqlite < actions
      refold export s --as log -o s.log --store there.sqlite
      echo '"reset"' | refold run counter --session t --emit none
      """#)
    #expect(setUp.code == 0, "\(setUp.error)")
    let importing = try LiveRun(shell, ["import", shell.path("s.log")])
    try await stopInTransaction(importing)

    let late = try await shell.refold(
      "run", "counter", "--session", "t", "--wait", "0.3", input: "\"reset\"")
    #expect(late.code == 69)
    #expect(late.error.contains("refold.sqlite is locked: other writers held it for 0.3 s"))
    #expect(late.error.contains("Wait until they are done, or allow a longer wait"))
    for command in [["sessions"], ["verify"], ["export", "t"], ["backup", shell.path("copy")]] {
      #expect(try await shell.refold(command).code == 0, "\(command)")
    }
    // Nothing of what is not committed.
    let copied = try await shell.refold("sessions", "--json", "--store", shell.path("copy"))
    #expect(copied.lines.count == 1)

    let patient = try LiveRun(
      shell, ["run", "counter", "--session", "t", "--wait", "300", "--emit", "acks"])
    try patient.send("{\"increase\":{\"by\":5}}\n")
    try patient.endInput()
    importing.signal(SIGCONT)
    #expect(await importing.wait() == 0)
    #expect(await patient.wait() == 0)
    #expect(patient.output.count == 1)
    #expect(try await shell.refold("verify").code == 0)
    #expect(try await shell.refold("export", "s").object()["seq"] as? Int == 16_000)
  }

  /// Stops `run` while it holds the writer lock. On a thread of its own: it looks without a pause.
  private func stopInTransaction(_ run: LiveRun) async throws {
    let (lock, process) = (shell.store + "-lock", run.processID)
    try await Trials(inSuite: 1, long: 1).run { _ in
      let descriptor = open(lock, O_RDWR | O_CLOEXEC)
      try require(descriptor >= 0, "there is no lock file")
      defer { close(descriptor) }
      while true {
        while !isHeld(descriptor) { try require(try state(of: process) != "Z", "it has ended") }
        kill(process, SIGSTOP)
        while try state(of: process) != "T" {
          try require(try state(of: process) != "Z", "it has ended")
        }
        if isHeld(descriptor) { return }
        kill(process, SIGCONT)
      }
    }
  }
}

private func isHeld(_ descriptor: Int32) -> Bool {
  if flock(descriptor, LOCK_EX | LOCK_NB) != 0 { return true }
  flock(descriptor, LOCK_UN)
  return false
}

/// The letter of proc(5): T for a process that is stopped, Z for one that has ended.
private func state(of process: Int32) throws -> Character {
  let text = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ") Z"
  return text.split(separator: ")").last?.dropFirst().first ?? "Z"
}
