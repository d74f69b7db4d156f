import Foundation
import Testing

@Suite(
  "Travelling on a page", .enabled(if: Browser.isThere, Browser.absence), .serialized,
  .timeLimit(.minutes(5)))
struct PageTravelTests {
  let pages: PageTests

  init() throws { pages = try PageTests() }

  func position(_ browser: Browser) async throws -> Int {
    try await browser.number("refold.position()")
  }

  @Test func goes_by_the_keys_of_the_terminal() async throws {
    let browser = try await Browser(in: pages.shell.folder)
    try await pages.counterPage(browser, actions: 10)
    let presses = [
      ("k", 19), ("ArrowUp", 18), (",", 17), ("j", 18), ("ArrowDown", 19), ("h", 17), ("<", 15),
      ("ArrowRight", 17), ("l", 19), ("Home", 0), ("k", 0), ("G", 20), ("j", 20), ("g", 0),
      ("End", 20),
    ]
    for (key, seq) in presses {
      try await browser.press(key)
      #expect(try await position(browser) == seq, "after \(key)")
    }
    try await browser.press("?")
    #expect(try await browser.text("document.querySelector('#help').open") == "true")
    try await browser.press("k")
    #expect(try await position(browser) == 20, "help takes no keys for the page")
    #expect(browser.complaints == [])
  }

  @Test func goes_by_slider_buttons_and_clicks_on_events() async throws {
    let browser = try await Browser(in: pages.shell.folder)
    try await pages.counterPage(browser, actions: 10)
    try await browser.text(
      """
      (() => { const slider = document.querySelector('#slider'); slider.value = 6;
        slider.dispatchEvent(new Event('input')) })()
      """)
    #expect(try await position(browser) == 6)
    #expect(try await browser.text("refold.state()") == "{\"value\":6}")
    try await browser.text("document.querySelector('#next').click()")
    #expect(try await position(browser) == 7)
    try await browser.settle()
    try await browser.text("document.querySelector('#event-1').click()")
    #expect(try await position(browser) == 2)
    let valueText = "document.querySelector('#slider').getAttribute('aria-valuetext')"
    #expect(try await browser.text(valueText) == "2, add")
  }

  @Test func a_link_to_a_position_survives_reload_and_the_back_button() async throws {
    let browser = try await Browser(in: pages.shell.folder)
    try await pages.counterPage(browser, actions: 10, at: "#seq=4")
    #expect(try await position(browser) == 4)
    try await browser.press("End")
    #expect(try await browser.text("location.hash") == "#seq=20")
    try await browser.press("Home")
    try await browser.reload()
    #expect(try await position(browser) == 0)
    try await browser.text("history.back()")
    try await browser.wait(until: "refold.position() === 20")
    try await browser.text("history.back()")
    try await browser.wait(until: "refold.position() === 4")
    #expect(try await browser.text("refold.state()") == "{\"value\":3}")
    try await browser.press("j")
    try await browser.wait(until: "location.hash === '#seq=5'")
    try await browser.text("location.hash = '#seq=999999'")
    try await browser.wait(until: "refold.position() === 20")
  }

  @Test func plays_to_the_end_and_stops() async throws {
    let browser = try await Browser(in: pages.shell.folder)
    try await pages.counterPage(browser, actions: 10, at: "#seq=3")
    try await browser.text("document.querySelector('#speed').value = '1/s'")
    try await browser.press(" ")
    #expect(try await browser.text("document.querySelector('#play').innerText") == "Pause")
    try await browser.wait(until: "refold.position() > 3")
    for _ in 1...4 { try await browser.press("+") }
    #expect(try await browser.text("document.querySelector('#speed').value") == "1000/s")
    try await browser.wait(until: "refold.position() === 20")
    try await browser.wait(until: "document.querySelector('#play').innerText === 'Play'")
  }

  @Test func fits_every_width_from_320_pixels_on() async throws {
    let browser = try await Browser(in: pages.shell.folder)
    try await pages.homePage(browser)
    for (width, height) in [(320, 568), (390, 844), (768, 1024), (1180, 820), (1920, 1080)] {
      try await browser.resize(width: width, height: height)
      for pane in ["events", "state", "step"] {
        try await browser.text("document.querySelector('[data-shows=\(pane)]').click()")
        try await browser.settle()
        let over = try await browser.number(
          "document.documentElement.scrollWidth - document.documentElement.clientWidth")
        #expect(over <= 0, "\(pane) at \(width) pixels is \(over) too wide")
        let height = try await browser.number(
          "Math.round(document.querySelector('#\(pane)').getBoundingClientRect().height)")
        #expect(height > 100, "\(pane) at \(width) pixels is \(height) high")
      }
    }
  }

  @Test func names_every_control_for_a_screen_reader() async throws {
    let browser = try await Browser(in: pages.shell.folder)
    try await pages.homePage(browser)
    let nameless = try await browser.text(
      """
      [...document.querySelectorAll('button, input, select, iframe, [tabindex]')]
        .filter(e => !(e.ariaLabel || e.title || e.innerText?.trim() || e.labels?.length
          || e.getAttribute('aria-labelledby')))
        .map(e => e.outerHTML).join('\\n')
      """)
    #expect(nameless == "")
    for role in ["main", "header", "[role=search]", "[role=status][aria-live]", "[role=tree]"] {
      #expect(try await browser.number("document.querySelectorAll('\(role)').length") == 1)
    }
    try await browser.press("Home")
    try await browser.wait(
      until: "document.querySelector('#announcement').innerText.startsWith('Position 0 of ')")
    let active = "document.querySelector('#tree-rows').getAttribute('aria-activedescendant')"
    #expect(try await browser.number("document.querySelectorAll('#' + \(active)).length") == 1)
  }

  @Test(arguments: ["light", "dark"]) func has_contrast(_ scheme: String) async throws {
    let browser = try await Browser(in: pages.shell.folder)
    try await pages.counterPage(browser, actions: 1)
    try await browser.prefer(scheme)
    let low = try await browser.text(
      """
      (() => {
        const style = getComputedStyle(document.documentElement);
        const light = name => {
          const digits = style.getPropertyValue('--' + name).trim().slice(1);
          const parts = [0, 2, 4].map(at => parseInt(digits.slice(at, at + 2), 16) / 255)
            .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
          return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
        };
        const ratio = (one, other) => {
          const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
          return (high + 0.05) / (low + 0.05);
        };
        const pairs = ['text', 'quiet', 'accent', 'action', 'mutation', 'effect', 'failed',
          'string', 'number', 'word'].flatMap(text =>
            ['surface', 'raised', 'chosen'].map(ground => [text, ground]))
          .concat([['quiet', 'ground'], ['on-accent', 'accent'], ['text', 'mark'],
            ['text', 'added'], ['text', 'removed']]);
        return pairs.filter(pair => !(ratio(...pair) >= 4.5))
          .map(pair => `${pair}: ${ratio(...pair).toFixed(2)}`).join('\\n');
      })()
      """)
    #expect(low == "", "below 4.5 to 1 in \(scheme)")
  }
}
