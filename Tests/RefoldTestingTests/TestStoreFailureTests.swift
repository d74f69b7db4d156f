import EventStoreCore
import Refold
import RefoldTesting
import Testing

/// What a test store says when a test does not hold: the whole messages, since people read them.
@Suite("A failure of a test store", .timeLimit(.minutes(5)))
struct TestStoreFailureTests {
  @Test func shows_how_the_mutations_differ_at_the_line_of_the_call() async throws {
    var line = 0
    let issues = try await recordedIssues {
      try await withTestStore(LoadingReactor()) { store in
        line = #line + 1
        try await store.send(.rename(to: "B"), mutations: [.setUser("A"), .setLoading(true)]) {
          ($0.user, $0.history) = ("B", ["B"])
        }
      }
    }
    try #require(issues.count == 1)
    #expect(issues[0].line == line)
    #expect(
      issues[0].message == """
        send(rename(to: "B")) gave other mutations than expected (- expected, + given; by place in \
        the list):

          /0/setUser/_0
          - "A"
          + "B"

          /1
          - {"setLoading":{"_0":true}}

        Change `mutations:`, or what mutate(action:state:) answers with.
        """)
  }

  @Test func shows_how_the_state_differs() async throws {
    let issues = try await recordedIssues {
      try await withTestStore(LoadingReactor()) { store in
        try await store.send(.rename(to: "B"), mutations: [.setUser("B")]) {
          ($0.user, $0.history) = ("A", [])
        }
      }
    }
    #expect(
      issues.map(\.message) == [
        """
        After send(rename(to: "B")) the state is not as expected (- expected, + actual):

          /history/0
          + "B"

          /user
          - "A"
          + "B"

        Change the trailing closure, which makes the expected state of the one before, or \
        reduce(state:mutation:).
        """
      ])
  }

  @Test func says_that_a_change_was_not_expected_or_did_not_happen() async throws {
    let issues = try await recordedIssues {
      try await withTestStore(LoadingReactor()) { store in
        try await store.send(.alert("a"), mutations: [.setAlert("a")])
        try await store.send(.nothing) { $0.isLoading = false }
      }
    }
    try #require(issues.count == 2)
    #expect(issues[0].message.contains("/alert/count\n  - 0\n  + 1"))
    #expect(issues[0].message.hasSuffix("or change reduce(state:mutation:)."))
    #expect(issues[0].message.contains("Make this change in a trailing closure"))
    #expect(issues[1].message.contains("the trailing closure changes nothing"))
  }

  @Test func names_what_came_before_an_action_unasserted() async throws {
    let names = BehaviorRelay("Mina")
    let issues = try await recordedIssues {
      try await withTestStore(
        LoadingReactor(outside: names.effect.map { .setUser($0) })
      ) { store in
        try await store.send(.nothing)
      }
    }
    #expect(
      issues.map(\.message) == [
        """
        send(nothing): this came before it and was not asserted. Assert it with receive(…) first.

          + mutation 1 from outside any action: {"setUser":{"_0":"Mina"}}
        """
      ])
  }

  @Test func names_what_was_left_unasserted_at_the_end() async throws {
    let issues = try await recordedIssues {
      try await withTestStore(LoadingReactor()) { store in
        try await store.send(.load, mutations: [.setLoading(true)]) { $0.isLoading = true }
      }
    }
    #expect(
      issues.map(\.message) == [
        """
        finish(): this happened and was not asserted. Assert it with receive(…), or prevent it.

          + mutation 4 of action 1: {"setUser":{"_0":"Mina"}}
          + mutation 5 of action 1: {"setLoading":{"_0":false}}
        """
      ])
  }

  @Test func names_the_effects_that_go_on_at_the_end() async throws {
    let issues = try await recordedIssues {
      let store = try await TestStore(LoadingReactor())
      try await store.send(.watch)
      try await store.finish(timeout: .milliseconds(20))
    }
    try #require(issues.count == 1)
    #expect(issues[0].message.hasPrefix("finish(): effects still go on after 0.02 seconds."))
    #expect(issues[0].message.contains(#"These effects go on: action 1: {"watch":{}}."#))
  }

  @Test func names_what_does_not_heed_cancellation() async throws {
    let gate = Gate()
    let reactor = LoadingReactor(fetch: {
      await gate.wait()
      return "late"
    })
    let issues = try await recordedIssues {
      let store = try await TestStore(
        reactor, exhaustivity: .off, timeout: .milliseconds(20))
      try await store.send(.load)
      try await store.finish()
    }
    await gate.open()
    #expect(issues.count == 1)
    #expect(issues.first?.message.contains("has to heed cancellation") == true)
  }

  @Test func says_that_a_mutation_did_not_come() async throws {
    let issues = try await recordedIssues {
      try await withTestStore(LoadingReactor()) { store in
        let watching = try await store.send(.watch)
        try await store.receive(.setUser("A"), timeout: .milliseconds(20))
        try await store.send(.stop)
        _ = await watching.finished
        try await store.receive(.setUser("A"), timeout: .milliseconds(20))
      }
    }
    try #require(issues.count == 2)
    #expect(
      issues[0].message == """
        receive(setUser("A")): it did not come within 0.02 seconds. These effects go on: action 1: \
        {"watch":{}}.
        Let it come before: answer what its effect waits for, advance the test clock, or give a \
        longer `timeout:`. Else leave the receive out, or change mutate(action:state:).
        """)
    #expect(issues[1].message.contains("No effect goes on."))
  }

  @Test func shows_what_came_instead() async throws {
    let issues = try await recordedIssues {
      try await withTestStore(LoadingReactor()) { store in
        try await store.send(.load, mutations: [.setLoading(true)]) { $0.isLoading = true }
        try await store.receive(.setUser("Noa"), .setLoading(false)) {
          ($0.user, $0.history, $0.isLoading) = ("Mina", ["Mina"], false)
        }
        try await store.send(.rename(to: ""))
        store.session.enqueue(.nothing)
        try await store.receive(.setLoading(true))
      }
    }
    try #require(issues.count == 3)
    #expect(
      issues[0].message == """
        receive(setUser("Noa")): something else came: mutation 4 of action 1: \
        {"setUser":{"_0":"Mina"}}.
        (- expected, + given)

          /setUser/_0
          - "Noa"
          + "Mina"

        Assert what comes in the order in which it comes, or change mutate(action:state:).
        """)
    #expect(issues[1].message.contains("the effect failed at once with"))
    #expect(issues[1].message.contains("a profile needs a name"))
    #expect(issues[2].message.contains(#"something else came: action 9: {"nothing":{}}"#))
  }

  @Test func of_a_failure_shows_the_error() async throws {
    let issues = try await recordedIssues {
      try await withTestStore(LoadingReactor()) { store in
        try await store.send(.rename(to: ""), failure: ProfileError.offline)
        try await store.send(.nothing, failure: ProfileError.offline)
      }
    }
    try #require(issues.count == 2)
    #expect(issues[0].message.contains(#"- "there is no connection""#))
    #expect(issues[0].message.contains(#"+ "a profile needs a name""#))
    #expect(issues[1].message.contains("expected a failure"))
  }

  @Test func with_exhaustivity_off_is_about_what_the_closure_sets() async throws {
    let issues = try await recordedIssues {
      try await withTestStore(
        LoadingReactor(), given: [.setUser("A")], exhaustivity: .off
      ) { store in
        // The user was A before; saying so is wrong all the same.
        try await store.send(.rename(to: "B")) { $0.user = "A" }
        try await store.send(.rename(to: "C"), mutations: [.setUser("D")])
      }
    }
    try #require(issues.count == 2)
    #expect(issues[0].message.contains("/user\n  - \"A\"\n  + \"B\""))
    #expect(!issues[0].message.contains("/history"))
    #expect(issues[1].message.contains("/0/setUser/_0"))
  }

  @Test func with_skipped_ones_shown_is_a_known_issue() async throws {
    let issues = try await recordedIssues {
      try await withTestStore(LoadingReactor(), exhaustivity: .off(showSkipped: true)) { store in
        try await store.send(.rename(to: "B"))
        store.session.enqueue(.rename(to: "C"))
      }
    }
    #expect(issues.isEmpty, "known issues are not for the outer matcher")
  }

  @Test func reports_a_store_that_was_let_go_without_finish() async throws {
    var line = 0
    let issues = try await recordedIssues {
      line = #line + 1
      let store = try await TestStore(LoadingReactor())
      try await store.send(.nothing)
    }
    try #require(issues.count == 1)
    #expect(issues[0].line == line)
    #expect(issues[0].message.contains("let go without finish()"))
  }

  @Test func is_not_added_to_an_error_that_a_test_throws() async throws {
    let issues = try await recordedIssues {
      await #expect(throws: ProfileError.self) {
        try await withTestStore(LoadingReactor()) { store in
          try await store.send(.alert("a"), mutations: [.setAlert("a")]) { $0.alert = "a" }
          throw ProfileError.offline
        }
      }
    }
    #expect(issues.isEmpty)
  }

  @Test func shows_of_long_values_the_part_that_differs() async throws {
    let long = String(repeating: "x", count: 1000)
    let issues = try await recordedIssues {
      try await withTestStore(LoadingReactor()) { store in
        try await store.send(.rename(to: long + "b"), mutations: [.setUser(long + "a")]) {
          ($0.user, $0.history) = (long + "b", [long + "b"])
        }
      }
    }
    try #require(issues.count == 1)
    #expect(issues[0].message.contains("- …" + String(repeating: "x", count: 40) + "a\""))
    #expect(issues[0].message.contains("+ …" + String(repeating: "x", count: 40) + "b\""))
  }
}
