import Foundation
import Testing

@Suite(
  "Finding on a page", .enabled(if: Browser.isThere, Browser.absence), .serialized,
  .timeLimit(.minutes(5)))
struct PageSearchTests {
  let pages: PageTests

  init() throws { pages = try PageTests() }

  func find(_ text: String, in scope: String, _ browser: Browser) async throws {
    try await browser.text(
      """
      (() => {
        document.querySelector('#search-scope').value = '\(scope)';
        document.querySelector('#search').value = '\(text)';
        document.querySelector('#search').dispatchEvent(new Event('input'));
      })()
      """)
  }

  @Test func goes_from_event_to_event_that_has_a_text() async throws {
    let browser = try await Browser(in: pages.shell.folder)
    try await pages.counterPage(browser, actions: 30)
    try await find("\"by\":2", in: "events", browser)
    try await browser.wait(
      until: "document.querySelector('#search-result').innerText === 'In 11 events'")
    for (key, seq) in [("n", 3), ("n", 39), ("n", 41), ("N", 39), ("N", 3), ("N", 57)] {
      try await browser.press(key)
      #expect(try await browser.number("refold.position()") == seq)
    }
    try await find("no such text", in: "events", browser)
    try await browser.wait(
      until: "document.querySelector('#search-result').innerText === 'In no event'")
  }

  @Test func goes_from_field_to_field_of_the_state_and_opens_them() async throws {
    let browser = try await Browser(in: pages.shell.folder)
    try await pages.homePage(browser)
    try await browser.press("/")
    #expect(try await browser.text("document.activeElement.id") == "search")
    try await find("likecount", in: "state", browser)
    try await browser.press("Enter")
    let result = try await browser.text("document.querySelector('#search-result').innerText")
    #expect(result.hasPrefix("1 of "), "\(result)")
    let chosen = try await browser.text("document.querySelector('#field-pointer').innerText")
    #expect(chosen.hasSuffix("/likeCount"), "\(chosen)")
    let row = "document.querySelector('.field[aria-selected=true]').innerText"
    #expect(try await browser.text(row).contains("likeCount"))
  }

  @Test func filters_by_kind_and_by_action_and_folds() async throws {
    let browser = try await Browser(in: pages.shell.folder)
    try await pages.homePage(browser)
    func filter(_ value: String) async throws -> [String] {
      try await browser.text(
        """
        (() => { const filter = document.querySelector('#filter'); filter.value = '\(value)';
          filter.dispatchEvent(new Event('change')) })()
        """)
      try await browser.settle()
      let rows = "[...document.querySelectorAll('.event .kind')].map(e => e.innerText).join(' ')"
      return try await browser.text(rows).split(separator: " ").map(String.init)
    }
    let actions = try await filter("action")
    #expect(actions.allSatisfy { $0 == "action" } && actions.count > 3)
    let like = try await filter("action toggleLike")
    #expect(like.first == "action" && like.contains("mutation") && like.contains("completed"))
    try await browser.text("document.querySelector('.fold').parentElement.click()")
    try await browser.text("document.querySelector('.event .fold').click()")
    try await browser.settle()
    #expect(try await browser.number("document.querySelectorAll('.event').length") == 1)
  }

  @Test func says_which_event_set_a_field_and_which_changes_it_next() async throws {
    let browser = try await Browser(in: pages.shell.folder)
    try await pages.homePage(browser)
    let states = try await pages.states(of: "h").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? NSDictionary)
    }
    let end = states.count - 1
    for field in ["isLoading", "posts", "selectedCategory", "currentPage"] {
      let changes = (1...end).filter { seq in
        let (before, after) = (states[seq - 1][field], states[seq][field])
        return !((before as? NSObject)?.isEqual(after) ?? (after == nil))
      }
      for seq in [end, end / 2] {
        let (last, next) = try await blame(field, at: seq, browser)
        #expect(last == changes.last { $0 <= seq }, "\(field) at \(seq)")
        #expect(next == changes.first { $0 > seq }, "\(field) after \(seq)")
      }
    }
  }

  /// What the page says of a member of the state: who set it, and who changes it next.
  private func blame(
    _ field: String, at seq: Int, _ browser: Browser
  ) async throws -> (Int?, Int?) {
    // With the members alone in the tree, all of them are in sight.
    try await browser.text("document.querySelector('#close-all').click()")
    try await browser.text("refold.go(\(seq))")
    try await browser.settle()
    try await browser.text(
      """
      [...document.querySelectorAll('.field .key')].find(e => e.innerText === '\(field)').click()
      """)
    try await browser.wait(
      until: """
        ['last', 'next'].every(name =>
          document.querySelector('#field-' + name).innerText.length > 3)
        """)
    func answer(_ name: String) async throws -> Int? {
      let text = try await browser.text("document.querySelector('#field-\(name)').innerText")
      return text.split(separator: " ").compactMap { Int($0) }.first
    }
    return (try await answer("last"), try await answer("next"))
  }
}
