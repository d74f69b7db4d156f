import Refold
import SampleReactors
import Synchronization
import Testing

@Suite("The token of a request", .timeLimit(.minutes(5)))
struct TokenInterceptorTests {
  @Test func goes_along_with_each_request() async throws {
    let server = Server(accepts: "old")
    #expect(try await server.request(MemoryTokenStore(.named("old"))) == "old")
    #expect(server.calls == ["old"])
  }

  @Test func is_asked_for_and_kept_where_there_is_none() async throws {
    let (server, tokens) = (Server(accepts: "first"), MemoryTokenStore())
    let interceptor = server.interceptor(tokens)
    for _ in 0..<2 { #expect(try await server.request(interceptor) == "first") }
    #expect(try tokens.token() == .named("first"))
    #expect(server.calls == ["signIn", "first", "first"])
  }

  @Test func is_renewed_once_and_the_request_tried_once_more() async throws {
    let (server, tokens) = (Server(accepts: "old+1"), MemoryTokenStore(.named("old")))
    #expect(try await server.request(tokens) == "old+1")
    #expect(server.calls == ["old", "refresh old", "old+1"])
    #expect(try tokens.token() == .named("old+1"))
  }

  @Test func that_is_refused_again_means_that_the_session_has_expired() async throws {
    let (server, tokens) = (Server(accepts: "nothing"), MemoryTokenStore(.named("old")))
    await #expect(throws: AppError.sessionExpired) { try await server.request(tokens) }
    #expect(server.calls == ["old", "refresh old", "old+1"])
  }

  @Test(
    arguments: [
      (Unauthorized(), .sessionExpired), (AppError.invalidCredentials, .sessionExpired),
      (AppError.badRequest(reason: "?"), .sessionExpired),
      (AppError.network(reason: "lost"), .network(reason: "lost")),
      (AppError.server(status: 503), .server(status: 503)),
    ] as [(any Error, AppError)])
  func that_cannot_be_renewed(_ error: any Error, means: AppError) async throws {
    let (server, tokens) = (Server(accepts: "new"), MemoryTokenStore(.named("old")))
    let interceptor = TokenInterceptor(
      tokens: tokens, signIn: { .named("first") }, refresh: { _ in throw error })
    await #expect(throws: means) { try await server.request(interceptor) }
    #expect(server.calls == ["old"])
    #expect(try tokens.token() == .named("old"))
  }

  @Test func of_a_sign_in_that_is_refused_is_none() async throws {
    let (server, tokens) = (Server(accepts: "new"), MemoryTokenStore())
    let interceptor = TokenInterceptor(
      tokens: tokens, signIn: { throw Unauthorized() }, refresh: { $0 })
    await #expect(throws: AppError.invalidCredentials) { try await server.request(interceptor) }
    #expect(try tokens.token() == nil)
  }

  @Test func of_eight_requests_refused_at_once_is_renewed_once() async throws {
    let (server, tokens) = (Server(accepts: "old+1"), MemoryTokenStore(.named("old")))
    let (refused, refreshing) = (Barrier(), Barrier())
    let interceptor = server.interceptor(tokens, beforeRefresh: refreshing)
    let answers = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<8 {
        group.addTask { try await server.request(interceptor, holding: "old", at: refused) }
      }
      await refused.arrived(8)
      refused.open()
      await refreshing.arrived(1)
      refreshing.open()
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers == Array(repeating: "old+1", count: 8))
    #expect(server.calls.count { $0 == "old" } == 8)
    #expect(server.calls.count { $0.hasPrefix("refresh") } == 1)
  }

  @Test func of_eight_first_requests_is_asked_for_once() async throws {
    let (server, tokens, signingIn) = (Server(accepts: "first"), MemoryTokenStore(), Barrier())
    let interceptor = server.interceptor(tokens, beforeSignIn: signingIn)
    try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<8 { group.addTask { try await server.request(interceptor) } }
      await signingIn.arrived(1)
      // Room for the others to ask as well, if they did.
      for _ in 0..<100 { await Task.yield() }
      signingIn.open()
      for try await answer in group { #expect(answer == "first") }
    }
    #expect(server.calls.count { $0 == "signIn" } == 1)
  }

  @Test func that_was_refused_late_is_not_renewed_again() async throws {
    let (server, tokens, refused) = (
      Server(accepts: "old+1"), MemoryTokenStore(.named("old")), Barrier()
    )
    let interceptor = server.interceptor(tokens)
    async let late = server.request(interceptor, holding: "old", at: refused)
    await refused.arrived(1)
    #expect(try await server.request(interceptor) == "old+1")
    refused.open()
    #expect(try await late == "old+1")
    #expect(server.calls == ["old", "old", "refresh old", "old+1", "old+1"])
  }

  @Test func is_still_renewed_for_the_others_when_one_request_is_cancelled() async throws {
    let (server, tokens) = (Server(accepts: "old+1"), MemoryTokenStore(.named("old")))
    let refreshing = Barrier()
    let interceptor = server.interceptor(tokens, beforeRefresh: refreshing)
    let first = Task { try await server.request(interceptor) }
    await refreshing.arrived(1)
    let second = Task { try await server.request(interceptor) }
    first.cancel()
    // Ends before the refresh does: whoever is cancelled need not wait for it.
    await #expect(throws: CancellationError.self) { try await first.value }
    refreshing.open()
    #expect(try await second.value == "old+1")
    #expect(server.calls.count { $0.hasPrefix("refresh") } == 1)
    #expect(try tokens.token() == .named("old+1"))
  }

  @Test func that_is_renewed_for_nobody_is_kept_all_the_same() async throws {
    let (server, tokens) = (Server(accepts: "old+1"), MemoryTokenStore(.named("old")))
    let refreshing = Barrier()
    let interceptor = server.interceptor(tokens, beforeRefresh: refreshing)
    let only = Task { try await server.request(interceptor) }
    await refreshing.arrived(1)
    only.cancel()
    await #expect(throws: CancellationError.self) { try await only.value }
    refreshing.open()
    #expect(try await server.request(interceptor) == "old+1")
    #expect(server.calls.count { $0.hasPrefix("refresh") } == 1)
  }

  @Test func does_not_come_back_when_somebody_signs_out_meanwhile() async throws {
    let (server, tokens) = (Server(accepts: "old+1"), MemoryTokenStore(.named("old")))
    let refreshing = Barrier()
    let interceptor = server.interceptor(tokens, beforeRefresh: refreshing)
    let request = Task { try await server.request(interceptor) }
    await refreshing.arrived(1)
    try tokens.clear()
    refreshing.open()
    await #expect(throws: AppError.sessionExpired) { try await request.value }
    #expect(try tokens.token() == nil)
  }

  @Test func of_another_process_is_taken_where_the_old_one_is_used_up() async throws {
    let (server, tokens) = (Server(accepts: "theirs"), MemoryTokenStore(.named("old")))
    let interceptor = TokenInterceptor(
      tokens: tokens, signIn: { .named("first") },
      refresh: { _ in
        try tokens.save(.named("theirs"))
        throw Unauthorized()
      })
    #expect(try await server.request(interceptor) == "theirs")
  }

  @Test func of_a_store_that_cannot_be_read_is_an_error() async {
    let server = Server(accepts: "old")
    let tokens = FileTokenStore(path: "/nowhere/at/all/token")
    await #expect(throws: AppError.keychainNotFound) { try await server.request(tokens) }
    #expect(server.calls.isEmpty)
  }
}

/// A server that accepts one access token, and notes what it is asked.
private final class Server: Sendable {
  private let accepted: String
  private let log = Mutex<[String]>([])

  init(accepts accepted: String) { self.accepted = accepted }

  var calls: [String] { log.withLock { $0 } }

  private func note(_ call: String) { log.withLock { $0.append(call) } }

  /// Its tokens: the first one is `first`, and a refresh adds `+1` to a name.
  func interceptor(
    _ tokens: any TokenStore, beforeSignIn: Barrier? = nil, beforeRefresh: Barrier? = nil
  ) -> TokenInterceptor {
    TokenInterceptor(tokens: tokens) {
      self.note("signIn")
      await beforeSignIn?.pass()
      return .named("first")
    } refresh: { old in
      let name = old.access.value ?? ""
      self.note("refresh \(name)")
      await beforeRefresh?.pass()
      return .named("\(name)+1")
    }
  }

  func request(_ tokens: any TokenStore) async throws -> String {
    try await request(interceptor(tokens))
  }

  /// Gives the token that was accepted. A refusal of `held` waits at `barrier`.
  @discardableResult
  func request(
    _ interceptor: TokenInterceptor, holding held: String? = nil, at barrier: Barrier? = nil
  ) async throws -> String {
    try await interceptor.send { access in
      let name = access.value ?? ""
      self.note(name)
      if name == held { await barrier?.pass() }
      guard name == self.accepted else { throw Unauthorized() }
      return name
    }
  }
}
