import Foundation
import Testing

@Suite("Two processes")
struct TwoProcessTests {
  let shell: Shell

  init() throws { shell = try Shell() }

  @Test func pipe_into_one_session_without_a_gap_or_a_lost_action() async throws {
    try await pipeAtOnce("one", "one")
    let export = try await shell.refold("export", "one").object()
    #expect(export["seq"] as? Int == 40_000)
    #expect(export["state"] as? [String: Int] == ["value": 30_000])
    let log = try await shell.refold("log", "one", "--json")
    #expect(log.lines.count == 40_000)
    let isGapless = log.lines.indices.allSatisfy { log.lines[$0].hasPrefix("{\"seq\":\($0 + 1),") }
    #expect(isGapless)
    #expect(try await shell.refold("verify").code == 0)
  }

  @Test func pipe_into_two_sessions_of_one_store() async throws {
    try await pipeAtOnce("one", "two")
    for (name, value) in [("one", 10_000), ("two", 20_000)] {
      let export = try await shell.refold("export", name).object()
      #expect(export["seq"] as? Int == 20_000)
      #expect(export["state"] as? [String: Int] == ["value": value])
    }
    #expect(try await shell.refold("verify").code == 0)
  }

  @Test func create_a_session_of_the_same_name_and_end_up_in_one() async throws {
    let run = try await shell.bash(
      #"""
      for i in 1 2 3 4 5 6; do
        echo '{"increase":{"by":1}}' | refold run counter --session s --emit none & pids="$pids $!"
      done
      for pid in $pids; do wait $pid || exit 1; done
      """#)
    #expect(run.code == 0, "\(run.error)")
    #expect(try await shell.refold("sessions", "--json").lines.count == 1)
    let export = try await shell.refold("export", "s").object()
    #expect(export["state"] as? [String: Int] == ["value": 6])
  }

  @Test func one_reads_while_the_other_writes() async throws {
    let run = try LiveRun(shell, ["run", "counter", "--session", "s", "--emit", "acks"])
    try run.send("\"reset\"\n")
    await run.waitForLines(1)
    for round in 1...5 {
      try run.send(String(repeating: "{\"increase\":{\"by\":1}}\n", count: 100))
      await run.waitForLines(1 + 100 * round)
      #expect(try await shell.refold("verify", "s").code == 0)
      let export = try await shell.refold("export", "s").object()
      #expect(export["seq"] as? Int == 1 + 200 * round)
    }
    try run.endInput()
    #expect(await run.wait() == 0)
  }

  private func pipeAtOnce(_ first: String, _ second: String) async throws {
    let run = try await shell.bash(
      #"""
      feed() { for i in $(seq 10000); do echo "{\"increase\":{\"by\":$1}}"; done; }
      feed 1 > ones; feed 2 > twos
      refold run counter --session \#(first) --emit none < ones & one=$!
      refold run counter --session \#(second) --emit none < twos & two=$!
      wait $one && wait $two
      """#)
    #expect(run.code == 0, "\(run.error)")
  }
}
