import MarketServer
import SampleReactors
import Testing

@Suite("Market server: faults and the command's words", .timeLimit(.minutes(5)))
struct FaultTests {
  private let me = "GET /me HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"

  @Test func faults_come_in_the_order_they_were_asked_for_and_as_often() async throws {
    try await MarketServer.run { server async throws in
      server.fail("GET /me", with: .status(500), times: 2)
      server.fail("GET /me", with: .status(409, code: "TAKEN"))
      server.fail("GET /posts", with: .status(429), times: nil)
      var answers: [String] = []
      for _ in 1...4 { answers.append(try await converse(server, .send(me))) }
      #expect(answers.map { String($0.dropFirst(9).prefix(3)) } == ["500", "500", "409", "400"])
      #expect(answers[2].contains(#""code":"TAKEN""#))
      #expect(server.count("GET /me") == 4)
    }
  }

  @Test func what_breaks_off_says_more_than_it_sends() async throws {
    try await MarketServer.run { server async throws in
      server.fail("GET /me", with: .truncated)
      let truncated = try await converse(server, .send(me))
      let body = truncated.components(separatedBy: "\r\n\r\n").last ?? ""
      #expect(!body.isEmpty && !truncated.contains("Content-Length: \(body.utf8.count)\r\n"))
      server.fail("GET /me", with: .brokenChunks)
      let chunks = try await converse(server, .send(me))
      #expect(chunks.contains("Transfer-Encoding: chunked") && !chunks.hasSuffix("0\r\n\r\n"))
      server.fail("GET /me", with: .reset)
      #expect(try await converse(server, .send(me)) == "")
      for request in server.requests { #expect(await server.end(of: request) == .brokenOff) }
    }
  }

  @Test(arguments: [
    "GET /posts=500", "GET /posts=409:TAKEN", "PUT /posts/{id}/like=delay:2,409:TAKEN*1",
    "GET /me=truncated", "GET /me=chunks", "GET /me=reset", "GET /me=not-utf8",
    "GET /me=not-json", "GET /me=empty*3", "GET /a=b=500",
  ])
  func a_fault_can_be_written(_ text: String) {
    #expect(FaultRule(text) != nil)
  }

  @Test(arguments: [
    "", "GET /posts", "GET=500", "/posts=500", "GET posts=500", "GET /posts=", "GET /posts=99",
    "GET /posts=600", "GET /posts=delay:-1", "GET /posts=delay:nan", "GET /posts=500*0",
    "GET /posts=500*x", "GET /posts=500*1*1", "GET /posts=500,", "GET /posts=whatever",
  ])
  func what_is_no_fault_is_refused(_ text: String) {
    #expect(FaultRule(text) == nil)
  }

  @Test func the_words_of_the_command() throws {
    let options = try ServerOptions([
      "--port", "0", "--delay", "1.5", "--fault", "GET /me=500", "--fault", "GET /a=empty*2",
      "--access-lifetime", "5",
    ])
    #expect(options.port == 0 && options.delay == 1.5 && options.accessLifetime == 5)
    #expect(options.faults.map(\.times) == [nil, 2])
    #expect(try ServerOptions(["--help"]).wantsHelp)
    #expect(ServerOptions.help.split(separator: "\n").allSatisfy { $0.count <= 100 })
    for (words, message) in [
      (["--port", "70000"], "\"70000\" is no value for --port: expected a port, 0 to 65535"),
      (["--port"], "--port needs a value: a port, 0 to 65535"),
      (["--delay", "x"], "\"x\" is no value for --delay: expected seconds, 0 to 86400"),
      (["--prot"], "there is no option --prot; see --help"),
    ] {
      let error = #expect(throws: ServerOptions.Failure.self) { try ServerOptions(words) }
      #expect(error?.description == message)
    }
  }

  @Test func the_command_tells_each_request_in_a_line_and_no_token() async throws {
    let (lines, told) = AsyncStream.makeStream(of: String.self)
    var options = try ServerOptions(["--port", "0", "--fault", "GET /posts=409"])
    options.port = 0
    let server = try MarketServer(options) { told.yield($0) }
    let head = "Host: x\r\napikey: market-demo\r\nAuthorization: Bearer s3cret\r\n"
    for start in ["GET /me?a=\u{1b}[31m한", "GET /posts", "DELETE /posts/a%2Fb/like"] {
      _ = try await converse(server, .send("\(start) HTTP/1.1\r\n\(head)Connection: close\r\n\r\n"))
    }
    await server.stop()
    told.finish()
    var all: [String] = []
    for await line in lines { all.append(line) }
    #expect(
      all == [
        "GET /me?a=?[31m? -> 401", "GET /posts -> 409", "DELETE /posts/a%2Fb/like -> 401",
      ])
  }
}
