import Foundation
import Testing

@Suite(
  "A page in a browser", .enabled(if: Browser.isThere, Browser.absence), .serialized,
  .timeLimit(.minutes(5)))
struct PageTests {
  let shell: Shell

  init() throws { shell = try Shell() }

  /// A page of a session of `home`: 32 events and more, states of some kilobytes.
  func homePage(_ browser: Browser, at fragment: String = "") async throws {
    let input = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../Tools/sample-input/home.ndjson").standardized.path
    let run = try await shell.refold(
      "run", "home", "--session", "h", "--sequential", "--set", "user=u1", "--emit", "none",
      "--input", input)
    #expect(run.code == 0, "\(run.error)")
    try await page(of: "h", browser, at: fragment)
  }

  /// A page of a counter that goes up by 1, 2, 3 and so on.
  func counterPage(
    _ browser: Browser, actions: Int, at fragment: String = "", _ arguments: [String] = []
  ) async throws {
    let lines = (1...actions).map { "{\"increase\":{\"by\":\($0)}}\n" }.joined()
    try await shell.refold(
      "run", "counter", "--session", "c", "--emit", "none", input: lines)
    try await page(of: "c", browser, at: fragment, arguments)
  }

  func page(
    of session: String, _ browser: Browser, at fragment: String = "", _ arguments: [String] = []
  ) async throws {
    let export = try await shell.refold(
      ["export", session, "--as", "html", "-o", shell.path("page.html")] + arguments)
    #expect(export.code == 0, "\(export.error)")
    try await browser.open(shell.path("page.html"), fragment: fragment)
    try await browser.settle()
  }

  /// The state of each position as `export` has it, from 0 on.
  func states(of session: String) async throws -> [String] {
    let export = try await shell.refold("export", session, "--as", "states")
    let initial = try await shell.refold("export", session, "--at", "0")
    return try (initial.lines + export.lines).map { line in
      let start = try #require(line.range(of: "\"state\":"))
      return String(line[start.upperBound...].dropLast())
    }
  }

  @Test func shows_the_session_and_complains_of_nothing() async throws {
    let browser = try await Browser(in: shell.folder)
    try await counterPage(browser, actions: 4)
    #expect(try await browser.text("document.title") == "c · counter")
    #expect(try await browser.number("document.querySelectorAll('.event').length") == 8)
    #expect(try await browser.text("document.querySelector('#position').value") == "8")
    let row = try await browser.text("document.querySelector('#event-3').innerText")
    #expect(row.contains("mutation") && row.contains("add") && row.contains("{\"_0\":2}"), "\(row)")
    let isHidden = "document.querySelector('#notice').hidden"
    #expect(try await browser.text(isHidden) == "true", "nothing is left out")
    #expect(try await browser.text("document.querySelector('#tab-screen').hidden") == "true")
    #expect(browser.complaints == [])
  }

  @Test func has_the_state_of_every_position_as_export_has_it() async throws {
    let browser = try await Browser(in: shell.folder)
    try await homePage(browser)
    let expected = try await states(of: "h")
    let forward = (0..<expected.count).map(String.init).joined(separator: ",")
    let found = try await browser.text(
      "[\(forward)].map(seq => { refold.go(seq); return refold.state() }).join('\\n')")
    #expect(found.split(separator: "\n").map(String.init) == expected)
    let backward = try await browser.text(
      "[\(forward)].reverse().map(seq => { refold.go(seq); return refold.state() }).join('\\n')")
    #expect(backward.split(separator: "\n").map(String.init) == expected.reversed())
    #expect(browser.complaints == [])
  }

  @Test func keeps_numbers_that_javascript_would_round() async throws {
    let browser = try await Browser(in: shell.folder)
    let number = "9007199254740993"
    try await shell.refold(
      "run", "counter", "--session", "n", "--emit", "none",
      input: "{\"increase\":{\"by\":\(number)}}\n")
    try await page(of: "n", browser)
    #expect(try await browser.text("refold.state()") == "{\"value\":\(number)}")
    for place in ["#tree-rows", "#changes", "#payload", "#event-rows"] {
      let text = try await browser.text("document.querySelector('\(place)').innerText")
      #expect(text.contains(number), "\(place): \(text)")
    }
  }

  @Test func of_a_stretch_begins_with_the_state_before_it() async throws {
    let browser = try await Browser(in: shell.folder)
    try await counterPage(browser, actions: 10, ["--from", "9", "--to", "14", "--at", "10"])
    #expect(try await browser.text("refold.state()") == "{\"value\":15}")
    #expect(try await browser.number("document.querySelectorAll('.event').length") == 6)
    try await browser.press("Home")
    #expect(try await browser.text("refold.state()") == "{\"value\":10}")
    try await browser.press("End")
    #expect(try await browser.text("refold.state()") == "{\"value\":28}")
    let facts = try await browser.text("document.querySelector('header').innerText")
    #expect(facts.contains("events 9 to 14 of 20"), "\(facts)")
    #expect(browser.complaints == [])
  }

  @Test func of_a_session_without_events_shows_the_initial_state() async throws {
    let browser = try await Browser(in: shell.folder)
    try await shell.refold("run", "counter", "--session", "empty", input: "")
    try await page(of: "empty", browser)
    #expect(try await browser.text("refold.state()") == "{\"value\":0}")
    #expect(browser.complaints == [])
  }

  @Test func of_100_000_events_keeps_few_elements_and_is_quick() async throws {
    let browser = try await Browser(in: shell.folder)
    let start = Date()
    try await counterPage(browser, actions: 50_000)
    let took = try await browser.number(
      "Math.round(performance.getEntriesByType('navigation')[0].loadEventEnd)")
    #expect(
      took < 20_000, "loading took \(took) ms; the whole test so far \(-start.timeIntervalSinceNow)"
    )
    try await browser.text("document.querySelector('#event-rows').scrollTop = 1500000")
    try await browser.wait(until: "document.querySelector('#event-50010') !== null")
    let elements = try await browser.number("document.querySelectorAll('*').length")
    #expect(elements < 1500)
    let slowest = try await browser.number(
      """
      Math.round(Math.max(...Array.from({ length: 50 }, (_, place) => {
        const start = performance.now();
        refold.go((place * 7919 * 13) % 100000);
        document.body.offsetHeight;
        return performance.now() - start;
      })))
      """)
    #expect(slowest < 500, "the slowest of 50 jumps took \(slowest) ms")
    print("100,000 events: loaded in \(took) ms, \(elements) elements, slowest jump \(slowest) ms")
    for seq in [0, 1, 777, 50_000, 99_999, 100_000] {
      try await browser.text("refold.go(\(seq))")
      let number = seq / 2
      let state = "{\"value\":\(number * (number + 1) / 2)}"
      #expect(try await browser.text("refold.state()") == state)
    }
    #expect(browser.complaints == [])
  }

  @Test func is_refused_on_the_command_line_where_it_makes_no_sense() async throws {
    try await shell.refold("run", "counter", "--session", "c", input: "\"reset\"\n")
    let log = try await shell.refold("export", "c", "--as", "log", "--from", "1")
    #expect(log.code == 64)
    #expect(log.error.contains("--from and --to go with --as html"))
    let beyond = try await shell.refold("export", "c", "--as", "html", "--to", "9")
    #expect(beyond.code == 65)
  }
}
