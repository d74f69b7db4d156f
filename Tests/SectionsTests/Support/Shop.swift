import EventStoreTesting
import Sections

/// A screen with something of everything.
func everything() -> Screen {
  Screen(
    title: "Shop", subtitle: "Search: tea", account: "Mina",
    notices: [
      Notice(.progress, "Loading"), Notice(.news, "Saved"),
      Notice(.error, "No network. Try again."),
      Notice(.question, "Sign in to go on", choices: ["Sign in", "Not now"]),
    ],
    sections: [
      ScreenSection(
        id: "kinds", layout: .chips,
        cells: [
          Cell(id: "all", title: "All", look: .selected), Cell(id: "tea", title: "Tea"),
          Cell(id: "rice", title: "쌀과 콩"), Cell(id: "?", title: "…", look: .placeholder),
        ]),
      ScreenSection(
        id: "top", layout: .banner,
        cells: [Cell(id: "top", title: "Top 10", lines: ["What sells, and what everybody likes"])]),
      ScreenSection(
        id: "goods", title: "Goods", layout: .list,
        cells: [
          Cell(
            id: "g1", title: "Green tea of the first harvest", lines: ["@haru · 4,900 won"],
            badge: Cell.Badge("♥ 1,201", isOn: true)),
          Cell(id: "g2", title: "Cup", look: .placeholder),
        ], footer: "2 of 40"),
      ScreenSection(
        id: "songs", title: "Songs", layout: .shelf,
        cells: (1...5).map { number in
          Cell(
            id: "t\(number)", title: "Song \(number) with a rather long name, and then more of it",
            lines: ["Somebody"], symbol: "♪")
        }),
      ScreenSection(
        id: "cups", layout: .grid,
        cells: [
          Cell(id: "c1", title: "Cup", badge: Cell.Badge("new")),
          Cell(id: "c2", title: "Bowl", look: .selected),
        ]),
      ScreenSection(id: "empty", title: "Empty", layout: .grid, cells: [], footer: "Nothing"),
    ], buttons: ["+", "Write"])
}

/// What people with ill will write into titles.
let hostileTexts = [
  "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "a & b < c > d 'e'",
  "\u{1B}[2J\u{1B}]0;owned\u{07}", "safe\u{202E}gnp.exe", "\u{2066}\u{2069}\u{200F}", "\r\n\t\u{0}",
  "\u{2028}line", "</style></main>", "--!><!-- ", "\u{85}\u{9B}31m", "&lt;b&gt;",
  "\u{115F}\u{1160}\u{3164}\u{FFA0}", "\u{200D}", "a\u{200D}b \u{200D}", "𗀀𗀁𛀀🈁🈂",
]

/// A screen whose every text is one of `texts`, by `random`.
func screen(of texts: [String], _ random: inout SeededGenerator) -> Screen {
  var text: String { random.pick(texts) }
  return Screen(
    title: text, subtitle: text, account: text,
    notices: Notice.Kind.allCases.map { Notice($0, text, choices: [text, text]) },
    sections: SectionLayout.allCases.map { layout in
      ScreenSection(
        id: text, title: text, layout: layout,
        cells: Cell.Look.allCases.map { look in
          Cell(
            id: text, title: text, lines: [text], badge: Cell.Badge(text), symbol: text, look: look)
        }, footer: text)
    }, buttons: [text, text])
}
