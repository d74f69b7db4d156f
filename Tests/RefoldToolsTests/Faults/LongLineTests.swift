import EventStoreTesting
import Foundation
import Testing

@Suite("Lines of 64 MiB", .timeLimit(.minutes(Trials.minutes(20))))
struct LongLineTests {
  let shell: Shell

  init() throws { shell = try Shell() }

  /// Of a reactor that keeps nothing of them: what is measured is the way in.
  @Test(.enabled(if: Trials.isLong, "with --long"))
  func one_after_the_other_take_no_more_memory_than_one() async throws {
    var peaks: [Int] = []
    for count in [1, 6] {
      let run = try await shell.bash(
        #"""
        line() { printf '{"increase":{"by":1}%*s}\n' 67108000 ''; }
        exec 3< <(for i in $(seq \#(count)); do line; done)
        "$REFOLD" run counter --session s\#(count) --emit acks <&3 & p=$!
        while grep VmHWM /proc/$p/status >> peak 2> /dev/null; do sleep .05; done; wait $p
        sort -k2 -n peak | tail -1 | tr -dc 0-9; rm peak
        """#)
      #expect(run.code == 0, "\(run.error)")
      #expect(run.lines.count == count + 1, "\(run.output) \(run.error)")
      peaks.append(try #require(Int(run.lines.last ?? "")))
    }
    #expect(peaks[1] < 4 * peaks[0], "\(peaks) KiB")
    Figures.note(
      "Environment", "lines of 64 MiB",
      [("KiB at most for 1", peaks[0]), ("KiB at most for 6", peaks[1])])
  }
}
