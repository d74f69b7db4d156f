import Foundation
import MarketServer
import Refold
import SampleHTTP
import SampleReactors
import Synchronization
import Testing

/// What can go wrong only where there is a network.
@Suite("Market services over HTTP: faults", .timeLimit(.minutes(5)))
struct HTTPFaultTests {
  /// What asking for a page throws while `faults` happen to it.
  private func error(
    _ market: Market, _ faults: Fault..., pattern: RequestPattern = "GET /posts"
  ) async throws -> AppError? {
    let server = try #require(market.server)
    for fault in faults { server.fail(pattern, with: fault) }
    return await #expect(throws: AppError.self) { try await market.page() }
  }

  @Test func a_status_becomes_what_an_app_can_act_upon() async throws {
    let expected: [(Fault, AppError)] = [
      (.status(400), .badRequest(reason: "a fault that was asked for")),
      (.status(403), .invalidCredentials),
      (.status(404), .noRoute(path: "/posts")),
      (.status(404, code: "NOT_FOUND"), .notFound(what: "what was asked for")),
      (.status(409), .conflict(code: "FAULT")),
      (.status(409, code: "ALREADY_LIKED"), .conflict(code: "ALREADY_LIKED")),
      (.status(429), .tooManyRequests(retryAfter: nil)),
      (.status(429, retryAfter: 7), .tooManyRequests(retryAfter: 7)),
      (.status(429, retryAfter: -7), .tooManyRequests(retryAfter: 0)),
      (.status(500), .server(status: 500)), (.status(503), .server(status: 503)),
      (.status(418), .unknown(reason: "the server answered with status 418")),
    ]
    try await Market.run(.http) { market async throws in
      for (fault, error) in expected { #expect(try await self.error(market, fault) == error) }
      #expect(try await market.page().total == 520)
    }
  }

  @Test func a_401_is_answered_by_a_new_token_and_one_more_try() async throws {
    try await Market.run(.http) { market async throws in
      _ = try await market.page()
      let first = try market.tokens.token()?.access
      market.server?.fail("GET /posts", with: .status(401))
      #expect(try await market.page().total == 520)
      #expect(try market.tokens.token()?.access != first)
      #expect(market.server?.count("GET /posts") == 3)
      #expect(market.server?.count("POST /auth/refresh") == 1)
    }
  }

  @Test func a_second_401_is_the_end_of_the_session() async throws {
    try await Market.run(.http) { market async throws in
      #expect(try await error(market, .status(401), .status(401)) == .sessionExpired)
      #expect(market.server?.count("GET /posts") == 2)
      #expect(market.server?.count("POST /auth/refresh") == 1)
    }
  }

  @Test func a_renewal_that_is_refused_is_the_end_and_one_that_is_lost_is_not() async throws {
    try await Market.run(.http) { market async throws in
      _ = try await market.page()
      let token = try market.tokens.token()
      for (fault, expected) in [
        (Fault.status(503), AppError.server(status: 503)), (.status(401), .sessionExpired),
      ] {
        market.server?.fail("POST /auth/refresh", with: fault)
        #expect(try await error(market, .status(401)) == expected)
        #expect(try market.tokens.token() == token)
      }
      #expect(try await market.page().total == 520)
    }
  }

  @Test func eight_requests_that_are_refused_at_once_share_one_renewal() async throws {
    try await Market.run(.http) { market async throws in
      let server = try #require(market.server)
      _ = try await market.page()
      let gate = try AnswerGate()
      server.fail("GET /posts", with: .held(gate), .status(401), times: 8)
      try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 1...8 { group.addTask { try await market.page().total } }
        for _ in 0...8 { _ = await server.next("GET /posts") }
        gate.open()
        for try await total in group { #expect(total == 520) }
      }
      #expect(server.count("GET /posts") == 1 + 8 + 8)
      #expect(server.count("POST /auth/refresh") == 1)
    }
  }

  @Test func a_server_that_is_not_there_is_named() async throws {
    let port = try await closedPort()
    let url = try #require(URL(string: "http://127.0.0.1:\(port)/api"))
    let services = HTTPServices().market(at: url, tokens: MemoryTokenStore(), userID: nil)
    await #expect(throws: AppError.network(reason: "nothing answers at 127.0.0.1:\(port)")) {
      try await services.posts.posts(PostQuery(), page: 1, size: 30, for: nil)
    }
  }

  @Test func an_answer_that_breaks_off_is_no_answer() async throws {
    try await Market.run(.http) { market async throws in
      let server = try #require(market.server)
      let broken: [Fault] = [
        .truncated, .brokenChunks, .reset, .raw([]), .raw(Array("hello\r\n\r\n".utf8)),
        .raw(Array("HTTP/1.1 2".utf8)), .raw(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)),
        .raw(Array("HTTP/1.1 200 OK\r\nno colon\r\n\r\nabc".utf8)),
      ]
      let reason = "the answer of 127.0.0.1:\(server.port) broke off, or is no HTTP"
      for fault in broken {
        server.fail("GET /posts", with: fault, times: nil)
        await #expect(throws: AppError.network(reason: reason), "\(fault)") {
          try await market.page()
        }
        server.clearFaults()
      }
      #expect(try await market.page().total == 520)
    }
  }

  @Test(arguments: ["99999999999999999999", "3", "two", "-2"])
  func an_answer_of_another_length_than_it_says_is_none(_ length: String) async throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\nConnection: close\r\n\r\n[]"
    try await Market.run(.http) { market async throws in
      let server = try #require(market.server)
      server.fail("GET /posts/top10", with: .raw(Array(head.utf8)), times: nil)
      let reason = "the answer of 127.0.0.1:\(server.port) broke off, or is no HTTP"
      await #expect(throws: AppError.network(reason: reason)) {
        try await market.services.top10.top10Posts()
      }
    }
  }

  @Test(arguments: ["u1", nil])
  func a_check_of_a_token_that_no_renewal_helps_asks_no_more_than_twice(
    _ userID: User.ID?
  ) async throws {
    try await Market.run(.http, as: userID) { market async throws in
      let server = try #require(market.server)
      _ = try await market.page()
      server.fail("GET /me", with: .status(401), times: nil)
      let (auth, users) = (market.services.auth, UserStore(.mina))
      let check = CheckAuthOnLaunch(auth: auth, tokens: market.tokens, users: users)
      #expect(try await check() == (userID == nil ? .anonymous : .unauthenticated))
      #expect(server.count("GET /me") == 2)
      #expect(server.count("POST /auth/refresh") == 1)
      #expect(users.user == nil)
    }
  }

  @Test func a_post_whose_answer_is_lost_is_not_sent_twice() async throws {
    try await Market.run(.http) { market async throws in
      let server = try #require(market.server)
      _ = try await market.page()
      server.fail("POST /posts", with: .reset)
      let error = await #expect(throws: AppError.self) {
        try await market.services.registration.create(.named("Tea"))
      }
      #expect(error?.strategy == .retryable)
      #expect(server.count("POST /posts") == 1)
      #expect(try await market.page().total == 521)
    }
  }

  @Test func an_answer_that_is_no_json_of_ours_cannot_be_read() async throws {
    func json(_ text: String) -> Fault { .body(Array(text.utf8), type: "application/json") }
    try await Market.run(.http) { market async throws in
      for fault in [
        .notUTF8, .notJSON, .emptyBody, json("{}"), json("[]"), json(#"{"total":1,"posts":[{}]}"#),
        json(#"{"total":1e99,"posts":[]}"#), json(#"{"total":1"#), .status(204),
      ] {
        let error = try await error(market, fault)
        guard case .undecodable = error else {
          Issue.record("\(fault) led to \(String(describing: error))")
          continue
        }
      }
    }
  }

  @Test func a_page_that_makes_no_sense_does_no_harm() async throws {
    try await Market.run(.http) { market async throws in
      let post = try #require(MarketCatalogue.posts.first)
      let json = String(decoding: try EventCodec().encode(post), as: UTF8.self)
      let posts = Array(repeating: json, count: 40).joined(separator: ",")
      let text = #"{"total":-5,"number":9,"query":{"category":"pet"},"posts":[\#(posts)]}"#
      market.server?.fail("GET /posts", with: .body(Array(text.utf8), type: "application/json"))
      let page = try await market.page()
      #expect(page.total == 0 && page.number == 1 && page.query == PostQuery())
      #expect(page.posts.count == Page.size)
      market.server?.fail("GET /posts", with: .body(Array(text.utf8), type: "application/json"))
      await #expect(
        throws: AppError.undecodable(
          reason: "it has posts of another category than was asked for")
      ) { try await market.page(PostQuery(category: .only(.pet))) }
    }
  }

  @Test func a_slow_answer_is_waited_for_and_can_be_cancelled() async throws {
    try await Market.run(.http) { market async throws in
      let server = try #require(market.server)
      _ = try await market.page()
      _ = await server.next("GET /posts")
      let gates = [try AnswerGate(), try AnswerGate()]
      for gate in gates { server.fail("GET /posts", with: .held(gate)) }
      let late = Task { try await market.page().total }
      _ = await server.next("GET /posts")
      let cancelled = Task { try await market.page().total }
      let request = await server.next("GET /posts")
      cancelled.cancel()
      await #expect(throws: CancellationError.self) { try await cancelled.value }
      #expect(await server.end(of: request) == .closedByClient)
      gates[0].open()
      #expect(try await late.value == 520)
    }
  }

  @Test func a_token_answer_that_cannot_be_read_is_not_quoted() async throws {
    let text =
      #"{"access":"token-of-mina","refresh":"token-of-mina","isAnonymous":"token-of-mina"}"#
    try await Market.run(.http) { market async throws in
      let bad = Fault.body(Array(text.utf8), type: "application/json")
      market.server?.fail("POST /auth/login", with: bad, .status(400), times: 1)
      let error = await #expect(throws: AppError.self) { try await market.services.auth.me() }
      #expect(error == .undecodable(reason: "it holds no token"))
      #expect(try market.tokens.token() == nil)
    }
  }

  @Test func a_sign_in_that_is_refused_says_so() async throws {
    try await Market.run(.http) { market async throws in
      for status in [401, 403] {
        market.server?.fail("POST /auth/login", with: .status(status), times: 2)
        #expect(
          await #expect(throws: AppError.self) { try await market.page() } == .invalidCredentials)
        await #expect(throws: AppError.invalidCredentials) {
          try await market.services.auth.signIn(with: .google, idToken: Secret("google-u1"))
        }
      }
    }
  }

  @Test func no_request_has_a_token_outside_of_its_header_and_body() async throws {
    try await Market.run(.http) { market async throws in
      _ = try await market.page()
      market.clock.advance(bySeconds: 100)
      _ = try await market.page()
      try await market.services.auth.signOut()
      for request in try #require(market.server?.requests).map(\.request) {
        #expect(!request.target.contains("access") && !request.target.contains("refresh."))
        if let bearer = request[header: "authorization"] {
          #expect(bearer.hasPrefix("Bearer access.u1."))
        }
      }
    }
  }
}
