import Refold
import Testing

@testable import RefoldTools

/// Forms that are registered, typed into and destroyed, as form libraries over a store have them: a
/// field's `touch` is a mutation of its own, and comes late.
private struct FormsReactor: Reactor {
  struct Form: Codable, Sendable {
    var values: [String: String] = [:]
    var touched: [String: Bool] = [:]
  }

  struct State: Codable, Sendable { var forms: [String: Form] = [:] }

  enum Action: Codable, Sendable {
    case type(form: String, field: String, text: String)
    case leave(form: String, field: String)
    case destroy(form: String)
  }

  enum Mutation: Codable, Sendable {
    case setValue(form: String, field: String, text: String)
    case setTouched(form: String, field: String)
    case remove(form: String)
  }

  static var name: String { "forms" }
  let initialState = State()
  let gate: FormGate

  func mutate(action: Action, state: State) -> Effect<Mutation> {
    switch action {
    case .type(let form, let field, let text):
      .just(.setValue(form: form, field: field, text: text))
    case .leave(let form, let field):
      .task { [gate] in
        await gate.wait()
        return .setTouched(form: form, field: field)
      }
    case .destroy(let form): .just(.remove(form: form))
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .setValue(let form, let field, let text):
      state.forms[form, default: Form()].values[field] = text
    // The fault: it does not ask whether the form is there still.
    case .setTouched(let form, let field): state.forms[form, default: Form()].touched[field] = true
    case .remove(let form): state.forms[form] = nil
    }
  }
}

/// Holds effects until a test lets them go.
private actor FormGate {
  private var isOpen = false
  private var waiters: [CheckedContinuation<Void, Never>] = []

  func open() {
    isOpen = true
    for waiter in waiters { waiter.resume() }
    waiters = []
  }

  func wait() async {
    if isOpen { return }
    await withCheckedContinuation { waiters.append($0) }
  }
}

/// Counts, under a name that a tool need not know.
private struct UnknownReactor: Reactor {
  enum Action: Codable, Sendable { case add(Int) }
  struct State: Codable, Sendable { var sum = 0 }
  static var name: String { "unknown" }
  let initialState = State()
  func mutate(action: Action, state: State) -> Effect<Action> { .just(action) }
  func reduce(state: inout State, mutation: Action) {
    switch mutation {
    case .add(let amount): state.sum &+= amount
    }
  }
}

@Suite("A session whose reactor is not linked in", .timeLimit(.minutes(5)))
struct UnknownReactorTests {
  @Test func is_searched_and_listed_but_has_no_state() async throws {
    let tool = try TestTool([])
    try await tool.record(UnknownReactor(), "s1") { session in
      try await session.send(.add(7))
    }
    #expect(try tool.run("search", "s1", "add").output.split(separator: "\n").count == 2)
    #expect(try tool.run("export", "s1", "--as", "csv").output.split(separator: "\n").count == 3)
    for words in [["blame"], ["bisect", "/sum > 1"], ["search", "7", "--state"]] {
      let rest = words.dropFirst()
      let failure = #expect(throws: Failure.self) {
        try tool.run([words[0], "s1"] + rest)
      }
      #expect(failure?.code == .notFound)
      #expect(failure?.message.contains("which is not linked into this tool") == true)
    }
  }
}

@Suite("A field that should not be there", .timeLimit(.minutes(5)))
struct GhostTests {
  @Test func is_blamed_on_the_late_mutation_that_brought_it_back() async throws {
    let gate = FormGate()
    let reactor = FormsReactor(gate: gate)
    let tool = try TestTool([AnyReactor("forms") { _ in FormsReactor(gate: FormGate()) }])
    try await tool.record(reactor, "s1") { session in
      try await session.send(.type(form: "login", field: "email", text: "a@example.org"))
      try await session.send(.leave(form: "login", field: "email"))
      try await session.send(.destroy(form: "login"))
      try await session.send(.type(form: "search", field: "query", text: "shoes"))
      await gate.open()
    }
    // 1, 2: typed; 3, 4: left, which goes on; 5, 6: destroyed; 7, 8: typed; 9: the late touch.
    let answer = try tool.run("blame", "s1", "/forms/login")
    #expect(answer.code == .done)
    let lines = answer.output.split(separator: "\n").map(String.init)
    #expect(lines.first == "/forms/login was last changed by event 9")
    #expect(lines.contains("kind     mutation"))
    #expect(lines.contains("cause    3"))
    #expect(lines.contains(#"payload  {"setTouched":{"field":"email","form":"login"}}"#))
    #expect(lines.contains(#"action   {"leave":{"field":"email","form":"login"}}"#))
    #expect(lines.last == #"+ /forms/login: {"touched":{"email":true},"values":{}}"#)

    let all = try tool.run("blame", "s1", "--json").output
    #expect(all.contains(#"{"pointer":"/forms/login/touched/email","seq":9,"#))
    #expect(all.contains(#"{"pointer":"/forms/search/values/query","seq":8,"#))
    // Before the late touch the form was gone, and that was the destroy.
    let before = try tool.run("blame", "s1", "/forms/login", "--at", "8", "--json").output
    #expect(before.hasPrefix(#"{"pointer":"/forms/login","seq":6,"kind":"mutation","cause":5,"#))
    let history = try tool.run("blame", "s1", "/forms/login", "--history", "--json").output
    let seqs = history.split(separator: "\n").compactMap {
      $0.split(separator: ",").dropFirst().first
    }
    #expect(seqs == [#""seq":2"#, #""seq":6"#, #""seq":9"#])
  }

  @Test func is_found_where_it_came_back_by_what_it_is() async throws {
    let gate = FormGate()
    let tool = try TestTool([AnyReactor("forms") { _ in FormsReactor(gate: FormGate()) }])
    try await tool.record(FormsReactor(gate: gate), "s1") { session in
      try await session.send(.type(form: "login", field: "email", text: "a"))
      try await session.send(.leave(form: "login", field: "email"))
      try await session.send(.destroy(form: "login"))
      await gate.open()
    }
    let all = try tool.run("bisect", "s1", "/forms/login exists", "--all", "--json").output
    #expect(
      all == "{\"seq\":2,\"holds\":true}\n{\"seq\":6,\"holds\":false}\n{\"seq\":7,\"holds\":true}\n"
    )
    #expect(
      try tool.run("bisect", "s1", "/forms/login exists", "--from", "6", "--json").output
        == "{\"seq\":7}\n")
    let found = try tool.run("search", "s1", "email", "--state", "--json")
    #expect(found.output.split(separator: "\n").count == 2)
    #expect(found.output.contains(#""pointer":"/forms/login/values/email","match":"email""#))
  }
}
