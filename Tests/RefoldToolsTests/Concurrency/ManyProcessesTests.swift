import EventStoreTesting
import Foundation
import Testing

@Suite("Many processes on one store", .timeLimit(.minutes(Trials.minutes(20))))
struct ManyProcessesTests {
  private static let processes = 8

  let shell: Shell

  init() throws { shell = try Shell() }

  /// Runs `refold run counter` on each of `inputs` at once.
  /// - Returns: the acknowledged seqs of each, in the order of its lines.
  private func run(_ inputs: [[String]], _ options: String) async throws -> [[Int]] {
    for (index, lines) in inputs.enumerated() {
      try shell.write(lines.joined(separator: "\n"), to: "in-\(index)")
    }
    let run = try await shell.bash(
      """
      for i in \(inputs.indices.map(String.init).joined(separator: " ")); do
        refold run counter \(options) --emit acks --batch 5 --wait 120 < in-$i > acks-$i & pids="$pids $!"
      done
      for pid in $pids; do wait $pid || exit $?; done
      """)
    #expect(run.code == 0, "\(run.error)")
    return try inputs.indices.map { index in
      try String(contentsOfFile: shell.path("acks-\(index)"), encoding: .utf8)
        .split(separator: "\n").map { line in
          let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
          let object = try #require(value as? [String: Any])
          return (try #require(object["line"] as? Int), try #require(object["seq"] as? Int))
        }.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }

  private func envelope(_ id: String, session: String? = nil) -> String {
    let named = session.map { "\"session\":\"\($0)\"," } ?? ""
    return "{\"id\":\"\(id)\",\(named)\"action\":{\"increase\":{\"by\":1}}}"
  }

  @Test func each_action_is_logged_once_and_those_of_a_process_in_their_order() async throws {
    let count = Trials.isLong ? 2000 : 60
    let acks = try await run(
      (0..<Self.processes).map { process in (0..<count).map { envelope("\(process)-\($0)") } },
      "--envelope --session s")
    // An action and its mutation each.
    let total = 2 * count * Self.processes
    let log = try await shell.refold("log", "s", "--json")
    #expect(log.lines.count == total)
    let isGapless = log.lines.indices.allSatisfy { log.lines[$0].hasPrefix("{\"seq\":\($0 + 1),") }
    #expect(isGapless)
    for seqs in acks { #expect(seqs.count == count && seqs == seqs.sorted()) }
    #expect(Set(acks.joined()).count == total / 2)
    // How far a process came while another waited for its turn.
    let firsts = acks.compactMap(\.first)
    let lasts = acks.compactMap(\.last)
    #expect(try #require(firsts.max()) < total && lasts.min() ?? 0 > 0)
    let state = try await shell.refold("export", "s").object()["state"] as? [String: Int]
    #expect(state == ["value": total / 2])
    #expect(try await shell.refold("verify").code == 0)
    Figures.note(
      "Concurrency", "8 processes, one session",
      [("actions", total / 2), ("acknowledged", acks.joined().count), ("lost or twice", 0)])
  }

  @Test func a_delivery_that_two_processes_bring_is_executed_once() async throws {
    let count = Trials.isLong ? 1000 : 30
    // Each brings the deliveries of its neighbour as well, between its own.
    let acks = try await run(
      (0..<Self.processes).map { process in
        (0..<count).flatMap { index in
          [process, (process + 1) % Self.processes].map { envelope("\($0)-\(index)") }
        }
      }, "--envelope --session s")
    let executed = count * Self.processes
    let export = try await shell.refold("export", "s").object()
    #expect(export["seq"] as? Int == 2 * executed)
    #expect(export["state"] as? [String: Int] == ["value": executed])
    for process in acks.indices {
      let own = stride(from: 0, to: 2 * count, by: 2).map { acks[process][$0] }
      let neighbour = (process + Self.processes - 1) % Self.processes
      let brought = stride(from: 1, to: 2 * count, by: 2).map { acks[neighbour][$0] }
      #expect(own == brought, "both are told the same seq")
    }
    #expect(try await shell.refold("verify").code == 0)
    Figures.note(
      "Concurrency", "8 processes, each delivery by two",
      [("deliveries", acks.joined().count), ("executed", executed), ("executed twice", 0)])
  }

  @Test func many_sessions_get_each_their_own() async throws {
    let count = Trials.isLong ? 1000 : 30
    let sessions = 5
    let acks = try await run(
      (0..<Self.processes).map { process in
        (0..<count).map { envelope("\(process)-\($0)", session: "s\($0 % sessions)") }
      }, "--envelope")
    #expect(acks.allSatisfy { $0.count == count })
    let list = try await shell.refold("sessions", "--json")
    #expect(list.lines.count == sessions)
    for index in list.lines.indices {
      #expect(try list.object(index)["events"] as? Int == 2 * count / sessions * Self.processes)
    }
    #expect(try await shell.refold("verify").code == 0)
  }

  @Test func a_store_that_all_make_at_once_is_one_and_is_read_meanwhile() async throws {
    let rounds = Trials.isLong ? 100 : 2
    let run = try await shell.bash(
      #"""
      for round in $(seq \#(rounds)); do
        rm -f refold.sqlite*; pids=
        for i in 1 2 3 4 5 6; do
          echo '{"increase":{"by":1}}' | refold run counter --session s --emit none & pids="$pids $!"
        done
        for i in 1 2 3; do
          for command in 'sessions --json' 'export s' verify; do
            refold $command > /dev/null 2> error-$i; code=$?
            # Not there yet is no failure.
            [ $code = 0 ] || [ $code = 66 ] || { echo "$command: $code"; cat error-$i; }
          done & pids="$pids $!"
        done
        for pid in $pids; do wait $pid || echo "ended with $?"; done
        refold export s | grep -o '"value":[0-9]*'
      done
      """#)
    #expect(run.lines == Array(repeating: "\"value\":6", count: rounds), "\(run.error)")
  }
}
