import EventStoreTesting
import Foundation
import Testing

@Suite(
  "A full disk", .timeLimit(.minutes(Trials.minutes(10))),
  .enabled(if: SmallDisk.isThere, SmallDisk.absence))
struct FullDiskTests {
  let shell: Shell
  let disk: SmallDisk

  init() throws {
    shell = try Shell()
    disk = SmallDisk(shell: shell)
  }

  /// From a disk on which not even the file can be made to one that is full in the middle of a run.
  @Test func ends_a_run_with_its_reason_and_loses_nothing_acknowledged() async throws {
    var (acknowledged, full) = (0, 0)
    let sizes =
      Trials.isLong ? Array(stride(from: 4, through: 320, by: 4)) : [4, 24, 72, 112, 200, 300]
    for size in sizes {
      let run = try await disk.bash(
        kibibytes: size,
        #"""
        acts 8000 | refold run counter --session s --emit acks > acks; echo "run $?"; wc -l < acks
        grow; acts 1 | refold run counter --session s --emit none; echo "again $?"
        refold export s; refold verify s > /dev/null; echo "verify $?"
        """#)
      #expect(run.lines[0] == "run 74", "\(size) KiB: \(run.output) \(run.error)")
      #expect(run.errorLines.count == 1)
      #expect(run.error.contains("no space is left for"), "\(size) KiB: \(run.error)")
      #expect(run.lines[2] == "again 0" && run.lines[4] == "verify 0", "\(size) KiB: \(run.output)")
      let acks = try #require(Int(run.lines[1]))
      let state = try run.object(3)["state"] as? [String: Int]
      #expect(try #require(state?["value"]) > acks, "\(size) KiB")
      acknowledged += acks
      full += 1
    }
    #expect(acknowledged > 0)
    Figures.note(
      "Environment", "full disk",
      [("runs that it ended", full), ("acknowledged actions", acknowledged), ("lost", 0)])
  }

  @Test func fails_whatever_writes_leaves_nothing_half_done_and_lets_everything_be_read()
    async throws
  {
    let result = try await disk.bash(
      kibibytes: 2048,
      #"""
      acts 3000 | refold run counter --session s --emit none; refold export s --as log -o s.log
      echo '"reset"' > one; head -c 10m /dev/zero > disk/filler 2> /dev/null
      for words in 'import s.log --session n' 'fork s --at 2 --session f' 'export s -o disk/state' \
        'export s --as log -o disk/log' 'export s --as html -o disk/page' \
        'run counter --session s --input one' 'run counter --session new --input one'; do
        refold $words > out 2> err; echo "write $? $(wc -c < out) $(cat err) for $words"
      done
      for words in sessions 'log s' 'export s' verify 'check s' 'export s --as html' 'replay s'; do
        refold $words > out 2> err; echo "read $? $(wc -c < err) for $words: $(head -1 err)"
      done
      ls disk | grep -v -e '^s.sqlite' -e '^filler'; rm disk/filler
      acts 1 | refold run counter --session s --emit none; refold import s.log --session n > out
      refold fork s --at 2 --session f > out; refold export s; refold verify > out; echo "end $?"
      """#)
    let writes = result.lines.filter { $0.hasPrefix("write ") }
    #expect(writes.count == 7)
    for line in writes {
      #expect(line.hasPrefix("write 74 0 "), "\(line)")
      #expect(line.contains("o space"), "\(line)")
    }
    let reads = result.lines.filter { $0.hasPrefix("read ") }
    #expect(reads.count == 7)
    for line in reads { #expect(line.hasPrefix("read 0 0 "), "\(line)") }
    #expect(result.lines.count == 16, "\(result.output) \(result.error)")
    let state = try result.object(14)["state"] as? [String: Int]
    #expect(state == ["value": 3001] && result.lines[15] == "end 0", "\(result.output)")
  }

  @Test func that_temporary_files_lie_on_is_told_too() async throws {
    let result = try await disk.bash(
      kibibytes: 16,
      #"""
      export REFOLD_STORE="$PWD/s.sqlite"; acts 3000 | refold run counter --session s --emit none
      refold export s --as log > s.log; export TMPDIR="$PWD/disk"
      refold export s --as html -o page; echo "page $?"
      cat s.log | refold import - --session n; echo "import $?"; ls disk
      """#)
    #expect(result.lines == ["page 74", "import 74"], "\(result.output)")
    #expect(result.error.contains("cannot write to a temporary file: No space left"))
  }

  /// A limit on the size of files ends a process that does not expect it.
  @Test(arguments: [0, 8, 100, 200])
  func a_limit_on_the_size_of_files_is_like_a_full_disk(kibibytes: Int) async throws {
    let run = try await shell.bash(
      #"""
      for i in $(seq 2000); do echo '{"increase":{"by":1}}'; done > in; touch acks
      (ulimit -f \#(kibibytes); refold run counter --session s --emit acks < in 2> err | cat >> acks
        exit ${PIPESTATUS[0]}); echo "run $?"; wc -l < acks
      echo '{"increase":{"by":1}}' | refold run counter --session s --emit none; refold export s
      refold verify s > /dev/null; echo "verify $?"
      """#)
    #expect(run.lines[0] == "run 74", "\(run.output) \(run.error)")
    let acks = try #require(Int(run.lines[1]))
    let state = try run.object(2)["state"] as? [String: Int]
    #expect(try #require(state?["value"]) > acks)
    #expect(run.lines[3] == "verify 0")
    if kibibytes > 0 {
      #expect(String(decoding: try shell.read("err"), as: UTF8.self).contains("no space is left"))
    }
  }
}
