import Foundation
import MarketServer
import Refold
import SampleReactors
import Testing

@testable import SampleHTTP

@Suite("HTTP client", .timeLimit(.minutes(5)))
struct HTTPClientTests {
  private let image = HTTPRequest.get("images", "1")

  @Test func what_is_asked_arrives_as_it_was_meant() async throws {
    let texts = [
      "a+b", "a&b=c", "한국 차", "100%", "a/b", "?x", "#y", "a;b", "%41", "\"\\\u{7f}", "👩‍👩‍👧", "~",
    ]
    try await withClient { server, client async throws in
      for text in texts {
        var request = HTTPRequest(method: .put, path: ["posts", text, "like"])
        request.query = [("a", text), (text, "b"), ("empty", "")]
        await #expect(throws: Unauthorized.self) { try await client.send(request) }
        let seen = await server.next("PUT /posts/{id}/like").request
        #expect(seen.path == ["posts", text, "like"])
        #expect(seen.query.map(\.name) == ["a", text, "empty"])
        #expect(seen.query.map(\.value) == [text, "b", ""])
        #expect(seen[header: "apikey"] == MarketWire.demoKey)
      }
    }
  }

  @Test(arguments: ["", ".", ".."])
  func what_cannot_be_a_part_of_a_path_is_not_sent(_ part: String) async throws {
    try await withClient { server, client async throws in
      await #expect(throws: AppError.badRequest(reason: "a part of its path is empty, . or ..")) {
        try await client.send(HTTPRequest(method: .delete, path: ["posts", part, "me"]))
      }
      #expect(server.requests.isEmpty)
    }
  }

  @Test(arguments: ["", "/", "//", "/api", "/api/", "/a%20b/"])
  func an_api_may_be_below_a_path(_ path: String) async throws {
    try await MarketServer.run { server async throws in
      let client = try HTTPClient(server, path: path)
      _ = try? await client.send(.get("me"))
      let seen = try #require(server.requests.first?.request)
      let below = path.split(separator: "/").map { $0.removingPercentEncoding ?? "" }
      #expect(seen.path == below + ["me"])
    }
  }

  @Test func cancelling_reaches_the_server() async throws {
    try await withClient { server, client async throws in
      let gate = try AnswerGate()
      server.fail("GET /me", with: .held(gate))
      let task = Task { try await client.send(.get("me")) }
      let request = await server.next("GET /me")
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(await server.end(of: request) == .closedByClient)
    }
  }

  @Test func what_is_cancelled_before_it_begins_is_never_sent() async throws {
    try await withClient { server, client async throws in
      let gate = try AnswerGate()
      gate.open()
      for _ in 1...20 {
        let task = Task {
          withUnsafeCurrentTask { $0?.cancel() }
          return try await client.send(.get("me"))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
      }
      // Whatever was begun all the same must not have been answered to anybody.
      await #expect(throws: Unauthorized.self) { try await client.send(.get("me")) }
    }
  }

  @Test func a_server_that_says_nothing_is_given_up() async throws {
    let patience = HTTPClient.Patience(idle: 1)
    try await withClient(patience: patience) { server, client async throws in
      server.fail("GET /me", with: .held(try AnswerGate()))
      let reason = "127.0.0.1:\(server.port) said nothing for 1 s"
      await #expect(throws: AppError.network(reason: reason)) { try await client.send(.get("me")) }
      let request = await server.next("GET /me")
      #expect(await server.end(of: request) == .closedByClient)
    }
  }

  @Test func an_answer_that_takes_for_ever_is_given_up() async throws {
    let patience = HTTPClient.Patience(idle: 100, total: .milliseconds(300))
    try await withClient(patience: patience) { server, client async throws in
      server.fail("GET /me", with: .held(try AnswerGate()))
      let reason = "127.0.0.1:\(server.port) took more than 0.3 seconds"
      await #expect(throws: AppError.network(reason: reason)) { try await client.send(.get("me")) }
      let request = await server.next("GET /me")
      #expect(await server.end(of: request) == .closedByClient)
    }
  }

  @Test func a_redirect_is_not_followed() async throws {
    try await MarketServer.run { elsewhere async throws in
      try await withClient { server, client async throws in
        server.fail("GET /me", with: .redirect(to: elsewhere.url + "/me"))
        server.fail("GET /me", with: .redirect(to: "/posts"))
        for _ in 1...2 {
          let error = await #expect(throws: AppError.self) {
            try await client.send(.get("me"), bearer: Secret("token-of-mina"))
          }
          #expect(error.map { "\($0)" }?.contains("elsewhere (302)") == true)
        }
        #expect(elsewhere.requests.isEmpty)
        #expect(server.requests.count == 2)
      }
    }
  }

  @Test func an_answer_that_is_too_long_is_an_error() async throws {
    try await withClient(maximumAnswerBytes: 1000) { server, client async throws in
      for (count, isFine) in [(1000, true), (1001, false), (5_000_000, false)] {
        let body = [UInt8](repeating: 0x20, count: count)
        server.fail("GET /images/1", with: .body(body, type: "text/plain"))
        if isFine {
          #expect(try await client.send(image) == body)
        } else {
          await #expect(throws: AppError.undecodable(reason: "it has more than 1000 bytes")) {
            try await client.send(image)
          }
        }
      }
    }
  }

  @Test func nothing_is_remembered_between_requests() async throws {
    try await withClient { server, client async throws in
      let answer = """
        HTTP/1.1 200 OK\r
        Set-Cookie: id=1; Path=/\r
        Cache-Control: max-age=3600\r
        Content-Length: 2\r
        Connection: close\r
        \r
        {}
        """
      server.fail("GET /images/1", with: .raw(Array(answer.utf8)), times: 2)
      for _ in 1...2 { #expect(try await client.send(image) == Array("{}".utf8)) }
      #expect(server.requests.count == 2, "an answer was kept")
      #expect(server.requests.allSatisfy { $0.request[header: "cookie"] == nil })
    }
  }

  @Test func a_question_for_a_password_is_a_401_like_any_other() async throws {
    try await withClient { server, client async throws in
      let answer = """
        HTTP/1.1 401 Unauthorized\r
        WWW-Authenticate: Basic realm="market"\r
        Content-Length: 0\r
        Connection: close\r
        \r

        """
      server.fail("GET /me", with: .raw(Array(answer.utf8)))
      await #expect(throws: Unauthorized.self) { try await client.send(.get("me")) }
      #expect(server.requests.count == 1)
    }
  }

  @Test func a_token_that_no_header_can_carry_is_not_sent() async throws {
    try await withClient { server, client async throws in
      for text in ["", "a\r\nx: y", "a\nb", "한국", "a b", "a\0"] {
        await #expect(throws: Unauthorized.self) {
          try await client.send(.get("me"), bearer: Secret(text))
        }
      }
      #expect(server.requests.isEmpty)
    }
  }

  @Test func no_message_has_the_token_in_it() async throws {
    let token = "token-of-mina"
    let said = #"{"code":"token-of-mina","message":"you sent token-of-mina"}"#
    func answer(_ status: Int) -> Fault {
      .raw(
        Array("HTTP/1.1 \(status) X\r\nContent-Length: \(said.utf8.count)\r\n\r\n\(said)".utf8))
    }
    try await withClient { server, client async throws in
      for status in [400, 401, 403, 404, 409, 418, 429, 500, 302] {
        server.fail("GET /me", with: answer(status))
        let error = await #expect(throws: (any Error).self) {
          try await client.send(.get("me"), bearer: Secret(token))
        }
        #expect(error.map { String(reflecting: $0) }?.contains(token) == false)
      }
    }
  }
}
