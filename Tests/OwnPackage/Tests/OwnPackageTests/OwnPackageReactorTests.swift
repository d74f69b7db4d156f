import RefoldTesting
import Testing

@testable import OwnPackage

struct OwnPackageReactorTests {
  @Test func what_is_there_is_not_added_again() async throws {
    try await withTestStore(OwnPackageReactor()) { store in
      try await store.send(.add(title: "Tea"), mutations: [.append("Tea")]) { $0.titles = ["Tea"] }
      try await store.send(.add(title: "Tea"))
      try await store.send(.remove(title: "Tea"), mutations: [.remove("Tea")]) { $0.titles = [] }
    }
  }

  @Test func a_suggestion_comes_later() async throws {
    let reactor = OwnPackageReactor(suggestion: { "Bread" })
    try await withTestStore(reactor, given: [.append("Tea")]) { store in
      try await store.send(.suggest, mutations: [.setSuggesting(true)]) { $0.isSuggesting = true }
      try await store.receive(.append("Bread")) { $0.titles = ["Tea", "Bread"] }
      try await store.receive(.setSuggesting(false)) { $0.isSuggesting = false }
    }
  }

  @Test func a_suggestion_that_does_not_come_is_told() async throws {
    struct Offline: Error {}
    let reactor = OwnPackageReactor(suggestion: { throw Offline() })
    try await withTestStore(reactor) { store in
      try await store.send(.suggest, mutations: [.setSuggesting(true)]) { $0.isSuggesting = true }
      try await store.receive(.setError("Offline()"), .setSuggesting(false)) {
        $0.error = "Offline()"
        $0.isSuggesting = false
      }
    }
  }
}
