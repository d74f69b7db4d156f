import EventStoreTesting
import Foundation
import Testing

@Suite("Reading while others write", .timeLimit(.minutes(Trials.minutes(20))))
struct ReadingAlongTests {
  let shell: Shell

  init() throws { shell = try Shell() }

  /// The commands, each with what must hold of what it prints. Every action adds 1 by one mutation, in
  /// one commit: at an even seq the value is half of it.
  private static let reading = #"""
    check() { # NAME COMMAND...: all commands end with 0, all of the time
      local name=$1; shift
      local last=0 now count=0
      while [ -e writing ]; do
        refold "$@" > out-$name 2> err-$name || { echo "$*: $?"; cat err-$name; }
        now=$(grep -oE '"(events|seq)":[0-9]+' out-$name | tail -n 1 | grep -oE '[0-9]+')
        [ -z "$now" ] || { [ "$now" -ge "$last" ] || echo "$*: $now after $last"; last=$now; }
        [ -z "$now" ] || [ "$name" = search ] || [ $((now % 2)) = 0 ] || echo "$*: half a commit, $now"
        count=$((count + 1))
      done
      echo "$count" > count-$name
    }
    round_trip() {
      local count=0
      while [ -e writing ]; do
        refold export s --as log -o s.log && rm -f there.sqlite* &&
          refold import s.log --store there.sqlite > /dev/null && refold verify --store there.sqlite \
          > /dev/null || echo "the exported log is none"
        count=$((count + 1))
      done
      echo "$count" > count-log
    }
    state() {
      local count=0
      while [ -e writing ]; do
        refold export s --json | grep -oE '"(seq|value)":[0-9]+' | grep -oE '[0-9]+' > parts
        { read -r seq; read -r value; } < parts
        [ "$seq" = $((2 * value)) ] || echo "export: $value at $seq"
        count=$((count + 1))
      done
      echo "$count" > count-state
    }
    """#

  @Test func every_command_sees_whole_commits_of_a_log_that_only_grows() async throws {
    let rounds = Trials.isLong ? 40 : 2
    let run = try await shell.bash(
      Self.reading + #"""

        for i in $(seq 150); do echo '{"increase":{"by":1}}'; done > actions
        touch writing
        refold run counter --session s --emit none < actions || exit 1
        check verify verify --json & check one verify s --json &
        check sessions sessions --json & check search search s increase --json --limit 3000 &
        check blame blame s /value & check log log s --json & round_trip & state &
        for i in 1 2 3; do
          (for j in $(seq \#(rounds)); do
            refold run counter --session s --emit none --batch 7 < actions || echo "run: $?"
          done) & writers="$writers $!"
        done
        wait $writers; rm writing; wait
        cat count-* | paste -sd+ | bc > total; refold verify > /dev/null || echo "verify: $?"
        refold export s | grep -o '"seq":[0-9]*'
        """#)
    #expect(run.code == 0)
    #expect(run.lines == ["\"seq\":\(2 * 150 * (1 + 3 * rounds))"], "\(run.error)")
    let looks = try (["verify", "one", "sessions", "search", "blame", "log", "state"]).map { name in
      let text = String(decoding: try shell.read("count-\(name)"), as: UTF8.self)
      return try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    }
    #expect(looks.allSatisfy { $0 > 0 })
    Figures.note(
      "Concurrency", "reading commands while 3 processes write",
      [
        ("runs of them", looks.reduce(0, +)), ("events at the end", 2 * 150 * (1 + 3 * rounds)),
        ("failures or false differences", 0),
      ])
  }

  /// Every process that ends writes the WAL back and removes what nobody has open.
  @Test func a_follower_gets_each_event_once_while_the_wal_comes_and_goes() async throws {
    let rounds = Trials.isLong ? 60 : 2
    try shell.record("s", [])
    let events = try LiveRun(shell, ["replay", "s", "--follow"])
    let states = try LiveRun(shell, ["replay", "s", "--follow", "--emit", "states"])
    let run = try await shell.bash(
      #"""
      for i in $(seq 200); do echo '{"increase":{"by":1}}'; done > actions
      for j in $(seq \#(rounds)); do
        refold run counter --session s --emit none --batch 3 --sync normal < actions & one=$!
        refold run counter --session s --emit none --sync normal < actions & two=$!
        wait $one && wait $two || exit 1
      done
      """#)
    #expect(run.code == 0, "\(run.error)")
    let total = 800 * rounds
    for follower in [events, states] {
      await follower.waitForLines(total)
      follower.signal(SIGTERM)
      #expect(await follower.wait() == 143)
      let lines = follower.output
      #expect(lines.count == total)
      let inOrder = lines.indices.allSatisfy { lines[$0].hasPrefix("{\"seq\":\($0 + 1),") }
      #expect(inOrder)
    }
    #expect(events.output == (try await shell.refold("replay", "s").lines))
    #expect(states.output.last == "{\"seq\":\(total),\"state\":{\"value\":\(total / 2)}}")
    Figures.note(
      "Concurrency", "replay --follow across checkpoints",
      [("events followed", 2 * total), ("processes that came and went", 2 * rounds), ("missed", 0)])
  }

  /// A reader of ours that does not go on stands between two pages, and holds nothing.
  @Test func an_export_that_nobody_reads_on_keeps_no_wal() async throws {
    let setUp = try await shell.bash(
      #"""
      for i in $(seq 8000); do echo '{"increase":{"by":1}}'; done > actions
      refold run counter --session s --emit none < actions
      """#)
    #expect(setUp.code == 0, "\(setUp.error)")
    let export = try LiveRun(
      shell,
      [
        "-c",
        #"""
        mkfifo fifo; "$REFOLD" export s --as log > fifo & exec 3< fifo; read -r line <&3; echo stuck
        read -r go; { echo "$line"; cat <&3; } > s.log; wait $! && echo whole
        """#,
      ], of: "/bin/bash")
    await export.waitForLines(1)
    // Each commit rewrites the pages that it adds to.
    let run = try LiveRun(
      shell,
      ["run", "counter", "--session", "t", "--emit", "acks", "--batch", "1", "--sync", "normal"])
    let count = Trials.isLong ? 20_000 : 1200
    try run.send(String(repeating: "{\"increase\":{\"by\":1}}\n", count: count))
    await run.waitForLines(count)
    let attributes = try FileManager.default.attributesOfItem(atPath: shell.store + "-wal")
    let bytes = try #require(attributes[.size] as? Int)
    // 4 MiB is where it is written back.
    #expect(bytes < 10 << 20, "the WAL has \(bytes) bytes")
    try run.endInput()
    #expect(await run.wait() == 0)
    try export.send("\n")
    await export.waitForLines(2)
    #expect(await export.wait() == 0)
    #expect(export.output == ["stuck", "whole"])
    let imported = try await shell.refold("import", shell.path("s.log"), "--session", "u", "--json")
    #expect(try imported.object()["events"] as? Int == 16_000)
    Figures.note(
      "Concurrency", "the WAL while an export is stuck in a pipe",
      [("commits", count), ("KiB in the WAL", bytes / 1024)])
  }
}
