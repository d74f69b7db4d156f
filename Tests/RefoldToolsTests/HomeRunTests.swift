import Foundation
import Testing

@Suite("home from the command line")
struct HomeRunTests {
  let shell: Shell

  init() throws { shell = try Shell() }

  @Test func a_sequential_run_gives_the_golden_order_and_waits_for_its_effects() async throws {
    let run = try await shell.refold(
      "run", "home", "--session", "h", "--sequential", "--set", "user=u1",
      input: """
        "fetchPostList"
        "loadNextPage"
        "loadNextPage"
        {"toggleLike":{"postID":"p1","isLiked":true}}

        """)
    #expect(run.code == 0, "\(run.error)")
    let steps = try run.lines.indices.map { index in
      let event = try run.object(index)
      let payload = event["payload"] as? [String: Any]
      let kind = event["kind"] as? String ?? ""
      guard kind == "mutation" else { return kind }
      return payload?.keys.first ?? ""
    }
    let fetch = ["setLoading", "pending", "setFetchCompleted", "setLoading", "completed"]
    let golden =
      ["setUser", "action"] + fetch + ["action"] + fetch + ["action"] + fetch
      + ["action", "setLikeStatus", "pending"]
    #expect(Array(steps.prefix(golden.count)) == golden)
    #expect(steps.last == "completed")
    #expect(try await shell.refold("sessions", "--json").object()["interrupted"] as? [Int] == [])
    let state = try await shell.refold("export", "h").object()["state"] as? [String: Any]
    #expect((state?["posts"] as? [Any])?.count == 90)
  }

  @Test func a_sequential_run_that_is_cut_short_says_which_lines_it_did_not_take() async throws {
    let lines = (1...4).map { "{\"searchKeyword\":{\"keyword\":\"k\($0)\"}}" }
    let run = try await shell.refold(
      "run", "home", "--session", "h", "--sequential", "--drain", "0.05", "--emit", "acks",
      "--rejects", shell.path("rejects"), input: lines.joined(separator: "\n"))
    #expect(run.code == 65)
    #expect(run.lines.count == 1)
    let reason = "not taken: the run ended before its turn"
    #expect(run.errorLines == ["line 2: \(reason)", "line 3: \(reason)", "line 4: \(reason)"])
    let log = try await shell.refold("log", "h", "--json")
    #expect(log.lines.last?.contains("cancelled") == true)
    #expect(try await shell.refold("sessions", "--json").object()["interrupted"] as? [Int] == [])
  }

  @Test func two_processes_retry_or_drop_an_interrupted_effect_once() async throws {
    for option in ["--retry-interrupted", "--drop-interrupted"] {
      let run = try await shell.bash(
        #"""
        rm -f "$REFOLD_STORE"* acks
        mkfifo "pipe$$"; exec 9<>"pipe$$"
        "$REFOLD" run home --session h --emit acks < "pipe$$" > acks & pid=$!
        echo '{"searchKeyword":{"keyword":"handmade"}}' >&9
        until [ -s acks ]; do read -t 0.02 _ < /dev/zero; done
        kill -9 $pid; wait $pid 2>/dev/null; exec 9>&-
        for i in 1 2 3 4; do
          echo '"tapTop10Banner"' | "$REFOLD" run home --session h \#(option) --emit none & pids="$pids $!"
        done
        for pid in $pids; do wait $pid || exit 9; done
        """#)
      #expect(run.code == 0, "\(option): \(run.error)")
      let log = try await shell.refold("log", "h", "--json")
      let ends = log.lines.filter { line in
        line.contains(#""kind":"completed""#) || line.contains(#""kind":"cancelled""#)
      }
      #expect(ends.count == 1, "\(option): \(log.output)")
      #expect(log.lines.filter { $0.contains("tapTop10Banner") }.count == 4)
      #expect(try await shell.refold("verify").code == 0)
    }
  }

  @Test func what_needs_a_user_asks_for_one() async throws {
    let run = try await shell.refold(
      "run", "home", "--session", "h", "--sequential",
      input: "{\"toggleLike\":{\"postID\":\"p1\",\"isLiked\":true}}\n")
    #expect(run.lines.count == 2)
    #expect(run.lines.last?.contains("setNeedsLogin") == true)
    let unknown = try await shell.refold("run", "home", "--set", "user=nobody")
    #expect(unknown.code == 64)
    #expect(unknown.error.contains("u1"))
  }
}
