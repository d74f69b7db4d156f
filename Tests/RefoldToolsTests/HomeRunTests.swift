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
