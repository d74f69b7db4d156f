import Foundation
import MarketServer
import Refold
import SampleReactors
import Testing

@Suite("Market server: HTTP/1.1", .timeLimit(.minutes(5)))
struct ServerTests {
  private let end = "Host: x\r\napikey: market-demo\r\nConnection: close\r\n\r\n"

  @Test(arguments: [
    ("GET /posts/top10 HTTP/1.1", 401), ("GET /nowhere HTTP/1.1", 404), ("GET / HTTP/1.1", 404),
    ("PATCH /me HTTP/1.1", 405), ("POST /auth/login HTTP/1.1", 411), ("GET /me HTTP/2", 505),
    ("GET http://x/me HTTP/1.1", 400), ("GET  /me HTTP/1.1", 400), ("GET /me", 400), ("", 400),
    ("G(T /me HTTP/1.1", 400), ("GET /%zz HTTP/1.1", 400), ("GET /%ff HTTP/1.1", 400),
    ("GET /posts?page=%f HTTP/1.1", 400), ("GET /me HTTP/1.1\r\nno colon", 400),
    ("GET /me HTTP/1.1\r\nname : value", 400), ("GET /me HTTP/1.1\r\n folded: x", 400),
    ("GET /me HTTP/1.1\r\nHost: y", 400), ("GET /me HTTP/1.1\nA: b", 400),
    ("POST /images HTTP/1.1\r\nContent-Length: x", 400),
    ("POST /images HTTP/1.1\r\nContent-Length: -1", 400),
    ("POST /images HTTP/1.1\r\nContent-Length: 99999999999999999999", 400),
    ("POST /images HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2", 400),
    ("POST /images HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked", 400),
    ("POST /images HTTP/1.1\r\nTransfer-Encoding: gzip", 501),
    ("POST /images HTTP/1.1\r\nContent-Length: 12582913", 413),
    ("POST /images HTTP/1.1\r\nContent-Length: 1\r\nExpect: a-miracle", 417),
  ])
  func what_makes_no_sense_is_told_so(_ start: String, _ status: Int) async throws {
    try await MarketServer.run { server async throws in
      let answer = try await converse(server, .send("\(start)\r\n\(end)"))
      #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
      #expect(answer.contains("Connection: close"))
      #expect(answer.contains(#"{"code":""#))
    }
  }

  @Test func a_head_without_a_host_or_an_end_is_refused() async throws {
    try await MarketServer.run { server async throws in
      #expect(
        try await converse(server, .send("GET /me HTTP/1.1\r\n\r\n")).hasPrefix("HTTP/1.1 400"))
      let long = "GET /me HTTP/1.1\r\nHost: x\r\na: " + String(repeating: "a", count: 70_000)
      #expect(try await converse(server, .send(long)).hasPrefix("HTTP/1.1 431 "))
      #expect(
        try await converse(server, .send("GET /me HTTP/1.1\r\nHo"), .endSending) == "",
        "half a request was answered")
      #expect(server.requests.isEmpty)
    }
  }

  @Test func without_the_key_of_an_app_nothing_is_told() async throws {
    try await MarketServer.run { server async throws in
      for key in ["", "apikey: other\r\n"] {
        let head = "POST /auth/anonymous HTTP/1.1\r\nHost: x\r\n\(key)Connection: close\r\n\r\n"
        let answer = try await converse(server, .send(head))
        #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.contains(#""code":"API_KEY""#))
        #expect(answer.contains("expected apikey: market-demo"))
      }
    }
  }

  @Test func a_connection_serves_one_request_after_the_other() async throws {
    try await MarketServer.run { server async throws in
      let first = "GET /me HTTP/1.1\r\nHost: x\r\n\r\n"
      let second = "POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc\r\n"
      let third = "GET /images/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
      let answers = try await converse(server, .send(first + second + third))
      let statuses = answers.components(separatedBy: "HTTP/1.1 ").dropFirst().map { $0.prefix(3) }
      #expect(statuses == ["400", "404", "404"])
      #expect(Set(server.requests.map(\.connection)).count == 1)
      #expect(server.requests.map { $0.request.body.count } == [0, 3, 0])
      _ = try await converse(server, .send("GET /me HTTP/1.0\r\n\r\n"))
    }
  }

  @Test func a_body_may_come_in_chunks_and_be_asked_for_first() async throws {
    try await MarketServer.run { server async throws in
      let token = try server.backend.signIn(with: .google, idToken: "google-u1").access
      let head = "POST /images HTTP/1.1\r\nAuthorization: Bearer \(token)\r\n"
      let chunks = ["3;x=y\r\nabc\r\n", "a\r\n0123456789\r\n", "0\r\nTrailer: x\r\n\r\n"]
      let answer = try await converse(
        server, .send("\(head)Expect: 100-continue\r\nTransfer-Encoding: chunked\r\n\(end)"),
        .await("HTTP/1.1 100 Continue\r\n\r\n"), .send(chunks.joined()))
      #expect(answer.contains("HTTP/1.1 201 Created") && answer.hasSuffix(#"{"id":"1"}"#))
      #expect(try server.backend.image("1") == Data("abc0123456789".utf8))
      for bad in ["x\r\n", "-1\r\n", "3\r\nabcd\r\n", "fffffff\r\n"] {
        let answer = try await converse(
          server, .send("\(head)Transfer-Encoding: chunked\r\n\(end)\(bad)"))
        let status = bad == "fffffff\r\n" ? 413 : 400
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(bad): \(answer)")
      }
    }
  }

  @Test func a_body_that_is_too_long_is_refused_and_the_answer_arrives() async throws {
    try await MarketServer.run { server async throws in
      let count = 13 << 20
      let answer = try await converse(
        server, .send("POST /images HTTP/1.1\r\nContent-Length: \(count)\r\n\(end)"),
        .sendBytes([UInt8](repeating: 1, count: count)))
      #expect(answer.hasPrefix("HTTP/1.1 413 "))
    }
  }

  @Test func a_method_that_is_not_there_names_those_that_are() async throws {
    try await MarketServer.run { server async throws in
      let answer = try await converse(server, .send("PATCH /me HTTP/1.1\r\n\(end)"))
      #expect(answer.contains("\r\nAllow: GET, DELETE\r\n"))
    }
  }

  @Test func stopping_closes_what_is_open_and_leaves_nothing_behind() async throws {
    let server = try MarketServer()
    server.fail("GET /me", with: .held(try AnswerGate()), times: nil)
    let waiting = Task { try await converse(server, .send("GET /me HTTP/1.1\r\n\(end)")) }
    let idle = Task { try await converse(server, .send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")) }
    let request = await server.next("GET /me")
    _ = await server.end(of: await server.next("GET /"))
    await server.stop()
    #expect(await server.end(of: request) == .closedByClient)
    #expect(try await waiting.value == "")
    #expect(try await idle.value.hasPrefix("HTTP/1.1 404 "))
    await #expect(throws: (any Error).self) { try await converse(server) }
    #expect(try openSockets(of: server.port).isEmpty)
    // The port is free again.
    let next = try MarketServer(port: server.port)
    await next.stop()
    await next.stop()
  }

  @Test func a_port_that_is_taken_is_an_error_that_says_so() async throws {
    try await MarketServer.run { server async throws in
      let error = #expect(throws: SystemError.self) { try MarketServer(port: server.port) }
      #expect(error.map { "\($0)" } == "bind failed: Address already in use")
    }
  }

  @Test func only_loopback_s_own_address_leads_to_it() async throws {
    try await MarketServer.run { server async throws in
      #expect(isReachable(server.port, at: 0x7f00_0001))
      // A server on every address of the machine is there too.
      #expect(!isReachable(server.port, at: 0x7f00_0002))
    }
  }

  @Test(arguments: [
    "/images/..%2f..%2fetc%2fpasswd", "/images/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd",
  ])
  func no_path_leads_to_a_file(_ path: String) async throws {
    try await MarketServer.run { server async throws in
      let answer = try await converse(server, .send("GET \(path) HTTP/1.1\r\n\(end)"))
      #expect(answer.hasPrefix("HTTP/1.1 4") && !answer.contains("root:"), "\(answer)")
    }
  }

  /// Sockets that somebody has yet to close, by the system's table of them.
  private func openSockets(of port: UInt16) throws -> [Substring] {
    let table = try String(contentsOfFile: "/proc/net/tcp", encoding: .utf8)
    let place = "0100007F:" + String(port, radix: 16, uppercase: true).leftPadded(to: 4)
    let isOpen = ["01", "08", "0A"]  // established, closed by the other side only, listening
    return table.split(separator: "\n").filter { line in
      let fields = line.split(separator: " ")
      return fields.count > 3 && fields[1] == place && isOpen.contains(String(fields[3]))
    }
  }
}

extension String {
  fileprivate func leftPadded(to count: Int) -> String {
    String(repeating: "0", count: max(count - self.count, 0)) + self
  }
}
