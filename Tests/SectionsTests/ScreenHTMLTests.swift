import EventStoreTesting
import Sections
import Testing

@Suite("A screen as HTML")
struct ScreenHTMLTests {
  /// The elements that a screen is made of; `br` and the like are not among them, so each is closed.
  private static let elements: Set<Substring> = [
    "main", "header", "h1", "h2", "h3", "p", "div", "span", "section", "ul", "li", "article",
  ]

  private static let attributes: Set<Substring> = [
    "class", "role", "style", "tabindex", "aria-label", "aria-current", "aria-hidden",
  ]

  /// What is wrong with the nesting of `html`, if anything is.
  private func flaw(in html: String) -> String? {
    var open: [Substring] = []
    for tag in html.matches(of: /<(\/?)([^\s>]+)[^>]*>/) {
      let name = tag.output.2
      guard Self.elements.contains(name) else { return "<\(name)> is no element of a screen" }
      if tag.output.1.isEmpty {
        open.append(name)
      } else if open.popLast() != name {
        return "</\(name)> closes something else"
      }
    }
    return open.isEmpty ? nil : "\(open) are not closed"
  }

  @Test func is_nested_properly_and_says_what_is_what() {
    let html = everything().html()
    #expect(flaw(in: html) == nil)
    for piece in [
      "<h1>Shop</h1>", "<p class=\"account\">Mina</p>", "<h2>Goods</h2>",
      "<div class=\"notice error\" role=\"alert\"><p>No network. Try again.</p></div>",
      "<div class=\"notice progress\" role=\"status\"><p>Loading</p></div>",
      "<li class=\"selected\" aria-current=\"true\"><span>All</span></li>",
      "<span class=\"badge on\">♥ 1,201</span>", "<p class=\"more\">2 of 40</p>",
      "<section class=\"shelf\" aria-label=\"Songs\">",
      "<ul tabindex=\"0\" aria-label=\"Songs\">",
      "<span class=\"button\">Write</span><span class=\"button\">+</span>",
    ] {
      #expect(html.contains(piece), "it lacks \(piece)")
    }
  }

  @Test(arguments: SectionLayout.allCases) func every_layout_has_a_style(_ layout: SectionLayout) {
    for element in ["ul", "li", "article"] {
      if Screen.htmlStyle.contains(".screen .\(layout.rawValue) \(element)") { return }
    }
    Issue.record("nothing in ScreenStyle.screen is about .\(layout.rawValue)")
  }

  @Test func hostile_texts_stay_text() {
    for seed in UInt64(1)...50 {
      var random = SeededGenerator(seed: seed)
      let html = screen(of: hostileTexts, &random).html()
      #expect(flaw(in: html) == nil, "seed \(seed)")
      for tag in html.matches(of: /<[^>]*>/) {
        let bare = tag.output.replacing(/="[^"]*"/, with: "")
        let names = bare.split { " <>".contains($0) }.dropFirst()
        #expect(Self.attributes.isSuperset(of: names), "seed \(seed): \(tag.output)")
      }
      for scalar in html.unicodeScalars where scalar != "\n" {
        #expect(!Printable.isDangerous(scalar), "seed \(seed): U+\(scalar.value)")
      }
    }
  }

  @Test func what_is_written_is_what_is_read() {
    let html = Screen(title: "<b>&amp;\u{202E}\"'").html()
    #expect(html.contains("<h1>&lt;b&gt;&amp;amp;\\u{202e}&quot;&#39;</h1>"))
  }

  @Test func a_page_stands_alone() {
    let page = everything().htmlPage(caption: "</title><script>")
    #expect(page.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">\n"))
    #expect(page.contains("<title>Shop – &lt;/title&gt;&lt;script&gt;</title>"))
    #expect(page.contains("name=\"viewport\" content=\"width=device-width, initial-scale=1\""))
    #expect(page.contains("prefers-color-scheme: dark"))
    for word in ["<script", "<link", "<img", "http:", "https:", "url(", "@import"] {
      #expect(!page.contains(word), "it has \(word)")
    }
  }

  @Test func a_style_sheet_speaks_of_screens_only() {
    for rule in Screen.htmlStyle.matches(of: /(?m)^\s*([^\s{}][^{};]*)\{/) {
      let selector = rule.output.1
      #expect(selector.hasPrefix(".screen") || selector.hasPrefix("@media"), "\(selector)")
    }
  }
}

@Suite("Layouts")
struct LayoutTests {
  private let sections = [section("a", [1]), section("b", [2, 3])]

  @Test func are_asked_by_the_index_of_the_section() throws {
    let layout = CompositionalLayout { $0 == 0 ? .chips : .shelf }
    let drawn = try ScreenSection.list(
      sections, layout: layout, title: { "\($0.id)!" }, footer: { "\($0.items.count)" },
      cell: { Cell(id: "\($0.id)", title: "<\($0.id)>") })
    #expect(drawn.map(\.layout) == [.chips, .shelf])
    #expect(drawn.map(\.id) == ["a", "b"])
    #expect(drawn.map(\.title) == ["a!", "b!"])
    #expect(drawn.map(\.footer) == ["1", "2"])
    #expect(drawn.map { $0.cells.map(\.title) } == [["<1>"], ["<2>", "<3>"]])
  }

  @Test func without_an_answer_are_an_error_that_names_the_section() {
    let error = #expect(throws: SectionsError.self) {
      try ScreenSection.list(sections, layout: CompositionalLayout([.list])) {
        Cell(id: "\($0.id)", title: "")
      }
    }
    #expect(
      error?.description == "the layout has nothing for section 1. Give one for each section.")
  }
}
