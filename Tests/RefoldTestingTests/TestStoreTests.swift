import EventStoreCore
import Refold
import RefoldTesting
import Testing

@Suite("A test store", .timeLimit(.minutes(5)))
struct TestStoreTests {
  @Test func asserts_what_an_action_gives_at_once_and_what_its_effect_gives_later() async throws {
    let store = try await TestStore(LoadingReactor())
    try await store.send(.load, mutations: [.setLoading(true)]) { $0.isLoading = true }
    try await store.receive(.setUser("Mina")) {
      $0.user = "Mina"
      $0.history = ["Mina"]
    }
    try await store.receive(.setLoading(false)) { $0.isLoading = false }
    try await store.finish()
  }

  @Test func receives_several_mutations_in_one_breath() async throws {
    try await withTestStore(LoadingReactor()) { store in
      try await store.send(.load, mutations: [.setLoading(true)]) { $0.isLoading = true }
      try await store.receive(.setUser("Mina"), .setLoading(false)) {
        ($0.user, $0.history, $0.isLoading) = ("Mina", ["Mina"], false)
      }
    }
  }

  @Test func an_action_that_gives_nothing_changes_nothing() async throws {
    try await withTestStore(LoadingReactor()) { store in
      try await store.send(.nothing)
    }
  }

  @Test func begins_where_the_given_mutations_lead() async throws {
    try await withTestStore(LoadingReactor(), given: [.setUser("A"), .setUser("B")]) { store in
      #expect(store.state.history == ["A", "B"])
      try await store.send(.rename(to: "C"), mutations: [.setUser("C")]) {
        $0.user = "C"
        $0.history.append("C")
      }
    }
  }

  @Test func a_pulse_is_assigned_in_the_expectation_as_it_is_in_reduce() async throws {
    try await withTestStore(LoadingReactor()) { store in
      try await store.send(.alert("no"), mutations: [.setAlert("no")]) { $0.alert = "no" }
      try await store.send(.alert("no"), mutations: [.setAlert("no")]) { $0.alert = "no" }
      #expect(store.state.$alert.count == 2)
    }
  }

  @Test func asserts_failures_at_once_and_later() async throws {
    let reactor = LoadingReactor(fetch: { throw ProfileError.offline })
    try await withTestStore(reactor) { store in
      try await store.send(.rename(to: ""), failure: ProfileError.noName)
      try await store.send(.load, mutations: [.setLoading(true)]) { $0.isLoading = true }
      try await store.receive(failure: ProfileError.offline)
    }
  }

  @Test func matches_a_mutation_whose_value_is_not_known() async throws {
    try await withTestStore(LoadingReactor()) { store in
      store.exhaustivity = .off
      try await store.send(.load)
      let mutation = try await store.receive(matching: {
        if case .setUser = $0 { true } else { false }
      }) { $0.user = "Mina" }
      guard case .setUser("Mina") = mutation else {
        Issue.record("received \(String(describing: mutation))")
        return
      }
    }
  }

  @Test func a_cancelled_effect_does_not_go_on() async throws {
    try await withTestStore(LoadingReactor()) { store in
      let watching = try await store.send(.watch)
      try await store.send(.stop)
      guard case .cancelled = await watching.finished else {
        Issue.record("the effect was not cancelled")
        return
      }
    }
  }

  @Test func receives_what_comes_from_outside_any_action() async throws {
    let names = BehaviorRelay("Mina")
    let reactor = LoadingReactor(outside: names.effect.map { .setUser($0) })
    try await withTestStore(reactor) { store in
      try await store.receive(.setUser("Mina")) { ($0.user, $0.history) = ("Mina", ["Mina"]) }
      names.accept("Noa")
      try await store.receive(.setUser("Noa")) { ($0.user, $0.history) = ("Noa", ["Mina", "Noa"]) }
    }
  }

  @Test func receives_an_action_that_somebody_else_sent() async throws {
    try await withTestStore(LoadingReactor()) { store in
      store.session.enqueue(.rename(to: "B"))
      store.session.enqueue(.nothing)
      try await store.receive(action: .rename(to: "B"), mutations: [.setUser("B")]) {
        ($0.user, $0.history) = ("B", ["B"])
      }
      try await store.receive(action: .nothing)
      store.session.enqueue(.load)
      try await store.receive(action: .load, mutations: [.setLoading(true)]) {
        $0.isLoading = true
      }
      try await store.receive(.setUser("Mina"), .setLoading(false)) {
        ($0.user, $0.history, $0.isLoading) = ("Mina", ["B", "Mina"], false)
      }
    }
  }

  @Test func goes_on_with_the_log_of_a_store_that_was_finished() async throws {
    let first = try await TestStore(LoadingReactor())
    try await first.send(.rename(to: "A"), mutations: [.setUser("A")]) {
      ($0.user, $0.history) = ("A", ["A"])
    }
    try await first.finish()
    try await withTestStore(LoadingReactor(), in: first.eventStore) { second in
      #expect(second.state.user == "A")
      #expect(second.session.version == 2)
    }
  }

  @Test @MainActor func is_used_from_any_actor() async throws {
    var seen: [String?] = []
    try await withTestStore(LoadingReactor()) { store in
      try await store.send(.rename(to: "A"), mutations: [.setUser("A")]) { state in
        MainActor.assertIsolated()
        (state.user, state.history) = ("A", ["A"])
        seen.append(state.user)
      }
    }
    #expect(seen == ["A"])
  }

  @Test func with_exhaustivity_off_what_is_not_named_may_be_anything() async throws {
    try await withTestStore(LoadingReactor(), exhaustivity: .off) { store in
      try await store.send(.watch)
      try await store.send(.alert("a")) { $0.alert = "a" }
      try await store.send(.rename(to: "A"))
      try await store.send(.load, mutations: []) { $0.isLoading = true }
      try await store.receive(.setLoading(false)) { $0.user = "Mina" }
      #expect(store.state.history == ["A", "Mina"])
    }
  }
}
