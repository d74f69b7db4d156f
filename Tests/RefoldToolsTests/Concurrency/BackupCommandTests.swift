import EventStoreTesting
import Foundation
import Testing

@Suite("backup", .timeLimit(.minutes(Trials.minutes(20))))
struct BackupCommandTests {
  let shell: Shell

  init() throws { shell = try Shell() }

  private func record(_ actions: Int = 3, _ session: String = "s") async throws {
    let input = String(repeating: "{\"increase\":{\"by\":2}}\n", count: actions)
    let run = try await shell.refold(
      "run", "counter", "--session", session, "--emit", "none", input: input)
    #expect(run.code == 0, "\(run.error)")
  }

  private var leftovers: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: shell.folder.path)
        .filter { $0.contains(".part") }
    }
  }

  @Test func copies_the_store_and_says_what_it_copied() async throws {
    try await record()
    try await record(2, "t")
    let backup = try await shell.bash("umask 0; refold backup copy.sqlite")
    #expect(backup.code == 0, "\(backup.error)")
    #expect(backup.output.hasPrefix("copy.sqlite: 2 sessions, 10 events, "))
    #expect(backup.output.hasSuffix(" KiB, checked\n"))
    #expect(backup.error == "")
    let mode = try FileManager.default.attributesOfItem(atPath: shell.path("copy.sqlite"))
    #expect(mode[.posixPermissions] as? Int == 0o600)
    let copy = shell.path("copy.sqlite")
    #expect(
      try await shell.refold("sessions", "--json", "--store", copy).output
        == shell.refold("sessions", "--json").output)
    let more = try await shell.refold(
      "run", "counter", "--session", "s", "--store", copy, input: "\"reset\"")
    #expect(more.code == 0, "\(more.error)")
    #expect(try await shell.refold("verify", "--store", copy).code == 0)
    #expect(try await shell.refold("export", "s").object()["seq"] as? Int == 6)
  }

  @Test func as_json_names_the_place_in_the_order_of_all_commits() async throws {
    try await record()
    let line = try await shell.refold("backup", shell.path("copy"), "--json").object()
    #expect(line["file"] as? String == shell.path("copy"))
    #expect(line["sessions"] as? Int == 1)
    #expect(line["events"] as? Int == 6)
    #expect(line["position"] as? Int ?? 0 > 0)
    #expect((line["bytes"] as? Int ?? 0) > 0)
  }

  @Test func does_not_copy_the_key_of_secrets_and_says_so() async throws {
    try await record()
    try shell.write(String(repeating: "k", count: 32), to: "refold.sqlite-key")
    let backup = try await shell.refold("backup", shell.path("copy"))
    #expect(backup.code == 0)
    #expect(
      backup.error.contains("refold.sqlite-key, the key of the store's secrets, was not copied"))
    #expect(!FileManager.default.fileExists(atPath: shell.path("copy-key")))
  }

  @Test func refuses_what_it_may_not_write() async throws {
    try await record()
    try shell.write("mine", to: "mine")
    let cases: [(String, Int32, String)] = [
      ("mine", 65, "already. Choose another name, or replace it with --force"),
      ("refold.sqlite", 64, "is a file of the store"), ("refold.sqlite-wal", 64, "is a file of"),
      ("no/folder", 69, "there is no folder"), ("-", 64, "a store is a file"),
    ]
    for (name, code, message) in cases {
      let backup = try await shell.bash("refold backup \(name)")
      #expect(backup.code == code, "\(name): \(backup.error)")
      #expect(backup.error.contains(message), "\(backup.error)")
    }
    #expect(try shell.read("mine") == Array("mine".utf8))
    #expect(try await shell.refold("backup", shell.path("mine"), "--force").code == 0)
    #expect(try await shell.refold("verify", "--store", shell.path("mine")).code == 0)
    let other = try await shell.bash("refold backup copy --store none.sqlite")
    #expect(other.code == 66)
    #expect(try leftovers == [])
  }

  @Test func does_not_replace_a_store_that_is_in_use() async throws {
    try await record()
    let copy = shell.path("copy")
    #expect(try await shell.refold("backup", copy).code == 0)
    let run = try LiveRun(
      shell, ["run", "counter", "--session", "s", "--emit", "acks", "--store", copy])
    try run.send("\"reset\"\n")
    await run.waitForLines(1)
    let backup = try await shell.refold("backup", copy, "--force")
    #expect(backup.code == 69)
    #expect(backup.error.contains("copy is in use, or was not closed"))
    try run.endInput()
    #expect(await run.wait() == 0)
    #expect(try await shell.refold("backup", copy, "--force").code == 0)
  }

  @Test func on_a_full_disk_leaves_nothing() async throws {
    try await record(3000)
    // A limit on the size of files stands in for a full disk.
    let backup = try await shell.bash("trap '' XFSZ; ulimit -f 200; refold backup copy")
    #expect(backup.code == 74, "\(backup.error)")
    #expect(backup.error.contains("no space is left for copy"), "\(backup.error)")
    #expect(try leftovers == [])
    #expect(!FileManager.default.fileExists(atPath: shell.path("copy")))
  }

  @Test func that_is_killed_leaves_no_file_of_that_name_or_a_whole_one() async throws {
    try await record(8000)
    let kills = Trials.isLong ? 200 : 6
    let run = try await shell.bash(
      #"""
      for i in $(seq \#(kills)); do
        refold backup copy > /dev/null & pid=$!
        # Begun, then some more or less.
        until ls copy.*.part > /dev/null 2>&1; do [ -e /proc/$pid ] || break; done
        for j in $(seq $((i * 37 % 100))); do :; done
        kill -9 $pid 2> /dev/null; wait $pid 2> /dev/null
        if [ -e copy ]; then refold verify --store copy > /dev/null || echo "not whole"; echo whole
        else echo none; fi
        ls copy.*.part > /dev/null 2>&1 && echo cut
        rm -f copy*
      done
      """#)
    #expect(!run.lines.contains("not whole"))
    let cut = run.lines.count { $0 == "cut" }
    #expect(cut > 0)
    #expect(try await shell.refold("verify").code == 0)
    Figures.note(
      "Concurrency", "backups that are killed",
      [("kills", kills), ("that cut one off", cut), ("half copies under the name", 0)])
  }

  @Test func that_is_interrupted_removes_what_it_wrote() async throws {
    try await record(8000)
    let run = try await shell.bash(
      #"""
      # One that is done before the signal comes shows nothing.
      for i in $(seq 50); do
        "$REFOLD" backup copy > /dev/null & pid=$!
        until ls copy.*.part > /dev/null 2>&1; do [ -e /proc/$pid ] || break; done
        kill -TERM $pid 2> /dev/null; wait $pid; code=$?
        [ $code -eq 0 ] || break; rm copy
      done
      echo $code; ls
      """#)
    #expect(run.lines.first == "143")
    #expect(try leftovers == [])
    #expect(!run.lines.contains("copy"))
  }

  @Test func while_processes_write_is_a_store_as_it_was() async throws {
    let rounds = Trials.isLong ? 30 : 1
    let run = try await shell.bash(
      #"""
      for i in $(seq 300); do echo '{"increase":{"by":1}}'; done > actions
      touch writing
      for s in a b c d; do
        (for j in $(seq \#(rounds)); do
          refold run counter --session $s --emit none --batch 4 < actions || echo "run: $?"
        done) & writers="$writers $!"
      done
      (until [ -s refold.sqlite-lock ] || refold sessions > /dev/null 2>&1; do :; done
      n=0
      while [ -e writing ]; do
        n=$((n + 1)); refold backup copy-$n > /dev/null || echo "backup: $?"
      done) & backups=$!
      wait $writers; rm writing; wait $backups
      for copy in copy-*; do
        case $copy in *-lock) continue;; esac
        refold verify --store $copy > /dev/null || echo "verify $copy: $?"
        refold sessions --json --store $copy |
          sed -E 's/.*"session":"([a-d])".*"events":([0-9]+),.*"digest":"([0-9a-f]+)".*/\1 \2 \3/' |
          while read -r session events digest; do
            refold verify $session --expect $digest --at $events > /dev/null || echo "$copy: $session"
            [ "$events" -ge \#(600 * rounds) ] || echo middle
          done
        echo copy
      done
      """#)
    let copies = run.lines.count { $0 == "copy" }
    let middle = run.lines.count { $0 == "middle" }
    #expect(run.lines.count == copies + middle, "\(run.output)\(run.error)")
    #expect(copies > 0 && middle > 0)
    Figures.note(
      "Concurrency", "backup while 4 processes write",
      [("copies", copies), ("sessions in the middle", middle), ("that were no prefix", 0)])
  }
}
