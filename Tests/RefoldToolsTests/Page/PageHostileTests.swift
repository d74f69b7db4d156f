import Foundation
import JSONTree
import Testing

@Suite(
  "Hostile text on a page", .enabled(if: Browser.isThere, Browser.absence), .serialized,
  .timeLimit(.minutes(5)))
struct PageHostileTests {
  let pages: PageTests

  init() throws { pages = try PageTests() }

  static let texts = [
    "</script><script>window.stolen = 1</script>", "<!--<script>", "]]><!-- --!>",
    "<img src=x onerror=\"window.stolen = 1\">", "'><svg onload=window.stolen=1>",
    "\u{2028}\u{2029}", "\u{202E}exe.txt\u{202C}\u{2066}", "\u{0}\u{7}\u{1B}[31m\u{9B}", "~0~1~2~3",
    "\r\n\r\t", "{{data}}{{script}}$&$1", "\u{FEFF}\u{200B}", "e\u{301}é漢字😀👩‍👩‍👧", "\\\"\\u003c",
    "javascript:window.stolen=1",
  ]

  @Test func does_nothing_and_is_shown() async throws {
    let browser = try await Browser(in: pages.shell.folder)
    let lines = Self.texts.map { text in
      let value: JSONValue = ["edit": ["at": 0, "delete": 0, "insert": .string(text)]]
      return value.description + "\n"
    }
    let name = "<b>\"x\"&'\u{202E}"
    try await pages.shell.refold(
      "run", "editor", "--session", name, "--emit", "none", input: lines.joined())
    try await pages.page(of: name, browser)
    let expected = try await pages.states(of: name)
    for (seq, state) in expected.enumerated() {
      try await browser.text("refold.go(\(seq))")
      try await browser.settle()
      let found = try await browser.text("refold.state()")
      #expect(found.utf8.elementsEqual(state.utf8), "at \(seq): \(found) is not \(state)")
    }
    #expect(try await browser.text("typeof window.stolen") == "undefined")
    #expect(try await browser.number("document.querySelectorAll('img, b, svg').length") == 1)
    let shown = try await browser.text("document.body.innerText")
    #expect(
      !shown.unicodeScalars.contains("\u{202E}"), "what turns writing around is not shown raw")
    #expect(shown.contains("<b>\"x\"&'\\u{202e}"))
    try await browser.text("document.querySelector('.field:last-child .value').click()")
    let value = try await browser.text("document.querySelector('#field-value').innerText")
    for piece in ["<img src=x onerror=\"window.stolen = 1\">", "\\u{202e}exe.txt", "\\u{0}"] {
      #expect(value.contains(piece), "\(value)")
    }
    #expect(browser.complaints == [])
  }

  @Test func the_page_may_load_and_run_nothing_else() async throws {
    let browser = try await Browser(in: pages.shell.folder)
    try await pages.counterPage(browser, actions: 1)
    let page = String(decoding: try pages.shell.read("page.html"), as: UTF8.self)
    for word in ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "'sha256-"] {
      #expect(page.contains(word))
    }
    for word in ["unsafe", "http:", "https:"] {
      let inner = page.replacingOccurrences(of: "http://www.w3.org/2000/svg", with: "")
      #expect(!inner.contains(word), "\(word) stands in the page")
    }
    try await browser.text(
      """
      (() => { const script = document.createElement('script');
        script.textContent = 'window.stolen = 1'; document.body.append(script) })()
      """)
    #expect(try await browser.text("typeof window.stolen") == "undefined")
    #expect(!browser.complaints.isEmpty, "the policy's refusal is what is missing here")
  }
}
