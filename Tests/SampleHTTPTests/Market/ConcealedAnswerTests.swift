import MarketServer
import Refold
import SampleReactors
import Testing

@testable import SampleHTTP

/// A server that sends back what it was asked with, where something else belongs.
@Suite("Answers with a token in them", .timeLimit(.minutes(5)))
struct ConcealedAnswerTests {
  private static let answers: [String] = [
    #""TOKEN""#, #"["TOKEN"]"#, #"{"TOKEN":1}"#, #"{"TOKEN":1,"TOKEN":2}"#, "{TOKEN", "TOKEN",
    #"{"user":"TOKEN","total":"TOKEN","posts":"TOKEN","id":["TOKEN"]}"#,
    #"{"user":{"id":["TOKEN"]},"total":1,"posts":[{"TOKEN":"TOKEN"}],"id":{"TOKEN":1}}"#,
    #"{"user":{"id":"u1","nickname":{"TOKEN":1}},"total":1,"posts":[POST]}"#, "[POST]", "POST",
    #"[{"id":"i1","name":{"TOKEN":1}}]"#,
  ]

  private static func answer(_ text: String, quoting token: String) throws -> Fault {
    let post = String(
      decoding: try EventCodec().encode(MarketCatalogue.posts[0]), as: UTF8.self)
    let category = MarketCatalogue.posts[0].category.rawValue
    let bad = post.replacing(#""category":"\#(category)""#, with: #""category":"TOKEN""#)
    #expect(bad != post)
    let body = text.replacing("POST", with: bad).replacing("TOKEN", with: token)
    return .body(Array(body.utf8), type: "application/json")
  }

  private static func ask(_ market: Market) -> [@Sendable () async throws -> Void] {
    let services = market.services
    return [
      { _ = try await market.page() }, { _ = try await services.auth.me() },
      { _ = try await services.top10.top10Posts() },
      { _ = try await services.registration.influencers(matching: "a") },
      { _ = try await services.registration.upload(.init(count: 3)) },
      { _ = try await services.registration.create(.named("Tea")) },
    ]
  }

  private static let patterns: [RequestPattern] = [
    "GET /posts", "GET /me", "GET /posts/top10", "GET /influencers", "POST /images",
    "POST /posts",
  ]

  @Test(arguments: answers)
  func say_what_was_expected_and_never_what_was_found(_ text: String) async throws {
    try await Market.run(.http) { market async throws in
      _ = try await market.page()
      let token = try #require(try market.tokens.token())
      for secret in [token.access, token.refresh].compactMap(\.value) {
        var errors: [AppError] = []
        for (pattern, ask) in zip(Self.patterns, Self.ask(market)) {
          market.server?.fail(pattern, with: try Self.answer(text, quoting: secret))
          // Some of them are an answer to one question or another: without a user, with an id.
          do { try await ask() } catch { errors.append(AppError(error)) }
        }
        #expect(errors.count >= 4)
        for error in errors {
          let told = "\(error) \(String(reflecting: error))"
          #expect(!told.contains(secret), "\(told)")
          guard case .undecodable = error else {
            Issue.record("\(text) led to \(told)")
            continue
          }
        }
      }
    }
  }

  @Test func tell_where_and_what() async throws {
    try await withClient { server, client async throws in
      for (body, reason) in [
        (#""TOKEN""#, "expected an object"),
        (#"{"TOKEN":1}"#, #"expected the key "total""#),
        (#"{"total":"TOKEN","posts":[]}"#, "at /total: expected an integer that fits Int"),
        (#"{"TOKEN"#, "not JSON from byte 7 on"),
      ] {
        server.fail("GET /me", with: .body(Array(body.utf8), type: "application/json"))
        await #expect(throws: AppError.undecodable(reason: reason)) {
          try await client.json(MarketWire.PostList.self, .get("me"), bearer: Secret("TOKEN"))
        }
      }
    }
  }

  @Test func a_piece_of_the_token_is_not_quoted_either() async throws {
    let token = "token-of-mina"
    for (said, isQuoted) in [
      ("bad TOKEN-OF-M", false), ("en-of-mina", false), ("of-mina is bad", true),
      ("no such token", true), (token, false),
    ] {
      try await withClient { server, client async throws in
        let body = #"{"code":"X","message":"\#(said)"}"#
        let answer = "HTTP/1.1 400 X\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        server.fail("GET /me", with: .raw(Array(answer.utf8)))
        await #expect(throws: AppError.badRequest(reason: isQuoted ? said : "GET /me")) {
          try await client.send(.get("me"), bearer: Secret(token))
        }
      }
    }
  }

  @Test func nor_is_the_refresh_token_that_came_with_it() async throws {
    try await Market.run(.http) { market async throws in
      _ = try await market.page()
      let refresh = try #require(try market.tokens.token()?.refresh.value)
      let body = #"{"code":"X","message":"\#(refresh.dropFirst(8))"}"#
      let answer = "HTTP/1.1 400 X\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
      market.server?.fail("GET /posts", with: .raw(Array(answer.utf8)))
      await #expect(throws: AppError.badRequest(reason: "GET /posts")) { try await market.page() }
    }
  }
}
