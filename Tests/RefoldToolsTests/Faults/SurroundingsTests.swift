import EventStoreTesting
import Foundation
import Testing

@Suite("A process in hostile surroundings", .timeLimit(.minutes(Trials.minutes(10))))
struct SurroundingsTests {
  let shell: Shell

  init() throws { shell = try Shell() }

  private func record() async throws {
    try await shell.refold(
      "run", "counter", "--session", "s", "--emit", "none",
      input: String(repeating: "{\"increase\":{\"by\":1}}\n", count: 50))
  }

  private func value(_ session: String = "s") async throws -> Int {
    let state = try await shell.refold("export", session).object()["state"] as? [String: Int]
    return try #require(state?["value"])
  }

  @Test func that_lets_it_open_few_files_says_so_or_works() async throws {
    try await record()
    let script = #"""
      for i in $(seq 20); do echo '{"increase":{"by":1}}'; done > in
      for n in LIMITS; do
        touch acks out err
        (ulimit -n $n; exec "$REFOLD" run counter --session s --emit acks < in > acks 2> err)
        echo "$n run $? $(wc -l < acks) $(cat err)"
        (ulimit -n $n; exec "$REFOLD" export s --as html > out 2> err); echo "$n page $? $(cat err)"
      done
      """#
    let limits = (Trials.isLong ? Array(7...40) : [7, 9, 14, 20, 27, 28, 32, 40]).map(String.init)
    let result = try await shell.bash(
      script.replacingOccurrences(of: "LIMITS", with: limits.joined(separator: " ")))
    #expect(result.lines.count == 2 * limits.count)
    var acknowledged = 0
    var refused = 0
    for line in result.lines {
      let words = line.split(separator: " ", maxSplits: 4)
      switch words[2] {
      case "0": if words[1] == "run" { acknowledged += try #require(Int(words[3])) }
      case "74":
        refused += 1
        #expect(line.contains("Too many open files"), "\(line)")
      default: Issue.record("\(line)")
      }
    }
    #expect(refused > 0 && acknowledged >= 40, "\(result.output)")
    #expect(try await value() == 50 + acknowledged)
    #expect(try await shell.refold("verify").code == 0)
    Figures.note(
      "Environment", "few files to open",
      [("commands", result.lines.count), ("refused with the reason", refused), ("crashed", 0)])
  }

  @Test func without_a_thread_for_it_says_so() async throws {
    try await record()
    // Of memory so little that no stack fits; how much the libraries take, differs.
    let result = try await shell.bash(
      #"""
      for v in 60000 80000 100000 110000; do
        (ulimit -v $v; timeout -s KILL 60 "$REFOLD" sessions > out 2> err; echo "$? $(head -1 err)"); done
      """#)
    for line in result.lines {
      #expect(
        line.hasPrefix("127 ") || line.hasPrefix("0 ")
          || line.hasPrefix("74 refold: "), "\(line)")
    }
  }

  @Test func with_streams_that_are_closed_or_full_keeps_all_that_it_was_sent() async throws {
    let streams = [
      ("> /dev/full", 74, "cannot write to standard output: No space left on device"),
      (">&-", 74, "cannot write to standard output: Bad file descriptor"),
      (">&- 2>&-", 74, ""), ("2>&-", 0, ""), ("2> /dev/full", 0, ""),
    ]
    for (index, (stream, code, message)) in streams.enumerated() {
      let run = try await shell.bash(
        #"""
        for i in 1 2 3; do echo '{"increase":{"by":1}}'; done \
          | ( exec "$REFOLD" run counter --session c\#(index) --emit acks \#(stream) )
        """#)
      #expect(run.code == code, "\(stream): \(run.error)")
      #expect(message.isEmpty || run.error.contains(message), "\(stream): \(run.error)")
      #expect(try await value("c\(index)") == 3, "\(stream)")
    }
    for (stream, message) in [("<&-", "Bad file descriptor"), ("< /", "Is a directory")] {
      let run = try await shell.bash(
        #"( exec "$REFOLD" run counter --session in --emit none \#(stream) )"#)
      #expect(run.code == 74)
      #expect(run.error.contains("cannot read standard input: \(message)"), "\(run.error)")
    }
    #expect(try await shell.refold("verify").code == 0)
  }

  /// The first file that is opened would get the number of a stream that is closed, and then what is
  /// meant for people.
  @Test func with_closed_streams_writes_no_message_into_a_file() async throws {
    try await record()
    for stream in ["<&- >&- 2>&-", "2>&-", "<&- 2>&-"] {
      let result = try await shell.bash(
        #"""
        ( exec "$REFOLD" run counter --session s --input bad --rejects rejects \#(stream) ); echo $?
        """#.replacingOccurrences(of: "( exec", with: "echo nonsense > bad; ( exec"))
      #expect(result.lines == ["65"], "\(stream)")
      #expect(try shell.read("rejects") == Array("nonsense\n".utf8), "\(stream)")
      #expect(try shell.read("refold.sqlite-lock").isEmpty)
      try FileManager.default.removeItem(atPath: shell.path("rejects"))
    }
    #expect(try await shell.refold("verify").code == 0)
  }

  /// Every command that prints something, on a stream that takes nothing.
  @Test func no_command_says_that_it_has_printed_what_it_could_not() async throws {
    try await record()
    let commands = [
      "sessions", "log s", "show s 1", "replay s", "diff s 0 2", "blame s", "search s add",
      "bisect s '/value > 1'", "export s", "export s --as log", "export s --as csv",
      "export s --as states", "export s --as html", "verify", "check s", "reactors", "--help",
      "--version", "help run", "fork s --at 2 --json",
    ]
    for command in commands {
      for stream in ["> /dev/full", ">&-"] {
        let result = try await shell.bash("( exec \"$REFOLD\" \(command) \(stream) )")
        #expect(result.code == 74, "\(command) \(stream): \(result.code)")
        #expect(result.error.contains("cannot write to standard output"), "\(command) \(stream)")
      }
    }
  }
}
