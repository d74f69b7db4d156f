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
    #expect(throws: Never.self) { try FaultRule(text) }
  }

  @Test(arguments: [
    "", "GET /posts", "GET=500", "/posts=500", "GET posts=500", "GET /posts=", "GET /posts=99",
    "GET /posts=600", "GET /posts=delay:-1", "GET /posts=delay:nan", "GET /posts=500*0",
    "GET /posts=500*x", "GET /posts=500*1*1", "GET /posts=500,", "GET /posts=whatever",
  ])
  func what_is_no_fault_is_refused(_ text: String) {
    #expect(throws: ServerOptions.Failure.self) { try FaultRule(text) }
  }

  @Test(arguments: [
    (
      "GET /posts",
      #""GET /posts" names no fault: expected REQUEST=FAULT, such as 'GET /posts=500'"#
    ),
    ("/posts=500", #""/posts" is no request: expected a method and a path, such as 'GET /posts'"#),
    ("GET /posts=999", #""999" is no status: expected 200 to 599, perhaps with :CODE"#),
    ("GET /posts=409:", #""409:" is no status: expected 200 to 599, perhaps with :CODE"#),
    ("GET /posts=delay:xx", #""delay:xx" is no delay: expected delay:SECONDS, 0 to 86400"#),
    ("GET /posts=500*0", #""*0" is no number of requests: expected *N at the end, 1 or more"#),
    (
      "GET /posts=500,nope",
      #""nope" is no fault: expected a status such as 500 or 409:TAKEN, delay:SECONDS, "#
        + "chunks, empty, not-json, not-utf8, reset, truncated"
    ),
  ])
  func the_half_that_is_wrong_is_named(_ text: String, _ message: String) {
    let error = #expect(throws: ServerOptions.Failure.self) {
      try ServerOptions(["--fault", text])
    }
    #expect(error?.description == "--fault: \(message)")
  }

  @Test func a_fault_of_a_route_that_is_not_there_names_those_that_are() throws {
    for text in ["GET /post=500", "DELETE /posts=500", "GET /posts/p1=500"] {
      let error = #expect(throws: ServerOptions.Failure.self) {
        try ServerOptions(["--fault", text])
      }
      let message = try #require(error?.description)
      #expect(
        message.hasPrefix("--fault: no route matches \(text.dropLast(4)). There are: POST /auth"))
      #expect(message.contains(", GET /posts, ") && message.contains(", PUT /posts/{id}/like, "))
    }
    for text in ["get /posts=500", "PUT /posts/p1/like=500", "PUT /{a}/{b}/{c}=500"] {
      #expect(try ServerOptions(["--fault", text]).faults.count == 1)
    }
  }

  @Test func a_method_may_be_written_small() async throws {
    try await MarketServer.run { server async throws in
      server.fail("get /me", with: .status(503))
      #expect(try await converse(server, .send(me)).hasPrefix("HTTP/1.1 503 "))
    }
  }

  @Test func the_routes_are_listed_a_line_each() throws {
    #expect(try ServerOptions(["--routes"]).wantsRoutes)
    let lines = ServerOptions.routes.split(separator: "\n")
    #expect(lines.contains("PUT /posts/{id}/like") && lines.contains("GET /search"))
    #expect(lines.allSatisfy { RequestPattern(String($0)) != nil })
  }

  @Test func the_words_of_the_command() throws {
    let options = try ServerOptions([
      "--port", "0", "--delay", "1.5", "--fault", "GET /me=500", "--fault", "GET /posts=empty*2",
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
