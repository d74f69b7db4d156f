import EventStoreTesting
import Foundation
import Testing

@testable import RefoldTools

@Suite(
  "States on a page", .enabled(if: Browser.isThere, Browser.absence), .serialized,
  .timeLimit(.minutes(5)))
struct PageStateTests {
  let shell: Shell

  init() throws { shell = try Shell() }

  func open(
    _ session: DocumentSession, _ browser: Browser, limits: PageCapacity = .standard
  ) async throws {
    try session.writePage(to: shell.path("page.html"), limits: limits)
    try await browser.open(shell.path("page.html"))
    try await browser.settle()
  }

  func states(at seqs: [Int], _ browser: Browser) async throws -> [String] {
    let text = try await browser.text(
      "\(seqs).map(seq => { refold.go(seq); return refold.state() }).join('\\u001e')")
    return text.split(separator: "\u{1E}", omittingEmptySubsequences: false).map(String.init)
  }

  @Test(arguments: 0..<3) func are_what_was_folded_whatever_they_hold(_ seed: Int) async throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var documents = [Document.random(&random)]
    while documents.count < 250 { documents.append(documents[documents.count - 1].edited(&random)) }
    let session = try await DocumentSession(documents)
    let browser = try await Browser(in: shell.folder)
    try await open(session, browser)
    let expected = try session.states()
    let seqs = Array(expected.indices).shuffled(using: &random)
    for (seq, found) in zip(seqs, try await states(at: seqs, browser))
    where !found.utf8.elementsEqual(expected[seq].utf8) {
      Issue.record("seed \(seed), position \(seq): \(found) is not \(expected[seq])")
      break
    }
    #expect(browser.complaints == [])
  }

  @Test func are_fewer_where_they_do_not_fit_and_the_page_says_so() async throws {
    let documents = (0..<1000).map { number in
      Document.object([
        "n": .number(number), "text": .text(String(repeating: "x\(number)", count: 20)),
      ])
    }
    let session = try await DocumentSession(documents)
    let browser = try await Browser(in: shell.folder)
    var limits = PageCapacity()
    (limits.stateBytes, limits.payloadBytes) = (20 << 10, 60 << 10)
    try await open(session, browser, limits: limits)
    let expected = try session.states()
    let notice = try await browser.text("document.querySelector('#notice').innerText")
    let stride = try #require(
      notice.firstMatch(of: #/a state only after one event in ([0-9]+)/#).flatMap { Int($0.1) })
    #expect(stride > 1 && notice.contains("a payload only of one event in"), "\(notice)")
    #expect(notice.contains("documents export d --as html --from 1 --to "), "\(notice)")
    let kept = [0, stride, 5 * stride, 2000]
    #expect(try await states(at: kept, browser) == kept.map { expected[$0] })
    #expect(try await states(at: [stride + 1, 1999], browser).first == expected[stride])
    #expect(try await browser.text("document.querySelector('#state-note').hidden") == "false")
    let size = try shell.read("page.html").count
    #expect(size < 300 << 10, "the page has \(size) bytes")
    #expect(browser.complaints == [])
  }

  @Test func of_44_000_values_are_a_tree_of_few_elements() async throws {
    let items = (0..<11_000).map { number in
      Document.object([
        "id": .number(number), "name": .text("item \(number)"), "tags": .array([.null]),
      ])
    }
    let more = items + [.object(["id": .number(-1)])]
    let session = try await DocumentSession(
      [.array(items), .array(more), .array(more.dropFirst() + [])])
    let browser = try await Browser(in: shell.folder)
    try await open(session, browser)
    #expect(
      try await states(at: [6, 4, 2], browser) == [6, 4, 2].map { try session.states()[$0] })
    try await browser.text("document.querySelector('#open-all').click()")
    try await browser.settle()
    let elements = try await browser.number("document.querySelectorAll('*').length")
    #expect(elements < 1500)
    try await browser.text("document.querySelector('#tree-rows').scrollTop = 500000")
    try await browser.settle()
    #expect(try await browser.number("document.querySelectorAll('.field').length") > 10)
    try await browser.text("document.querySelector('#close-all').click()")
    try await browser.settle()
    let ranges = try await browser.text(
      "[...document.querySelectorAll('.field .key')].map(e => e.innerText).join('|')")
    #expect(ranges == "state|0 … 9,999|10,000 … 10,999", "\(ranges)")
    let slowest = try await browser.number(
      """
      Math.round(Math.max(...[6, 1, 5, 2, 4].map(seq => {
        const start = performance.now(); refold.go(seq); return performance.now() - start })))
      """)
    #expect(slowest < 1000, "the slowest step took \(slowest) ms")
    print("44,000 values: the slowest step took \(slowest) ms")
  }

  @Test func that_present_a_screen_show_it_in_a_frame_that_runs_nothing() async throws {
    let pages = try PageTests()
    let browser = try await Browser(in: pages.shell.folder)
    try await pages.homePage(browser)
    #expect(try await browser.text("document.querySelector('#tab-screen').hidden") == "false")
    let frame = "document.querySelector('#screen-frame')"
    #expect(try await browser.text("\(frame).getAttribute('sandbox')") == "")
    let last = try await browser.text("\(frame).srcdoc")
    #expect(last.contains("<main class=\"screen\">") && !last.contains("<script"))
    let drawn = try await pages.shell.refold("screen", "h", "--html", "--at", "12")
    try await browser.text("refold.go(12)")
    try await browser.settle()
    let shown = try await browser.text("\(frame).srcdoc")
    let main = try #require(drawn.output.firstMatch(of: #/<main(.|\n)*</main>/#)).0
    #expect(shown.contains(main))
    #expect(browser.complaints == [], "its style is one that the policy allows")
  }
}
