import EventStoreTesting
import Sections
import Testing

@Suite("A screen as text")
struct ScreenTextTests {
  @Test func has_everything_where_people_look_for_it() {
    let expected = """
      Shop                                          Mina
      Search: tea

      … Loading

      → Saved

      ! No network. Try again.

      ╭────────────────────────────────────────────────╮
      │ Sign in to go on                               │
      │ [Sign in] [Not now]                            │
      ╰────────────────────────────────────────────────╯

      [All]  Tea   쌀과 콩  ░░░░░░

      ╭────────────────────────────────────────────────╮
      │ Top 10                                         │
      │ What sells, and what everybody likes           │
      ╰────────────────────────────────────────────────╯

      Goods
      ╭────────────────────────────────────────────────╮
      │ Green tea of the first harvest         ♥ 1,201 │
      │ @haru · 4,900 won                              │
      ├────────────────────────────────────────────────┤
      │ ░░░░░░░░░░░░░░░░░░░░░░░░░░░                    │
      │ ░░░░░░░░░░░░░░░░░░                             │
      ╰────────────────────────────────────────────────╯
      2 of 40

      Songs
      ╭────────────────────╮ ╭────────────────────╮
      │ ♪                  │ │ ♪                  │
      │ Song 1 with a      │ │ Song 2 with a      │
      │ rather long name,… │ │ rather long name,… │
      │ Somebody           │ │ Somebody           │
      ╰────────────────────╯ ╰────────────────────╯
      → 3 more

      ╭────────────────────╮ ╭────────────────────╮
      │                new │ │                    │
      │ Cup                │ │ ▸ Bowl             │
      ╰────────────────────╯ ╰────────────────────╯

      Empty
      Nothing

                                         ( Write ) ( + )

      """
    let drawn = everything().text(width: 50)
    let lines = { (text: String) in text.split(separator: "\n", omittingEmptySubsequences: false) }
    for (line, expected) in zip(lines(drawn), lines(expected)) { #expect(line == expected) }
    #expect(lines(drawn).count == lines(expected).count)
  }

  @Test func colours_only_what_stands_out() {
    let colored = everything().text(width: 50, isColored: true)
    #expect(colored.contains("\u{1B}[1mShop\u{1B}[0m"))
    #expect(colored.contains("\u{1B}[7m All \u{1B}[0m"))
    #expect(colored.contains("\u{1B}[31m♥ 1,201\u{1B}[0m"))
    #expect(!everything().text(width: 50).contains("\u{1B}"))
  }

  @Test(arguments: [1, 24, 25, 40, 47, 80, 133])
  func is_never_wider_than_its_width(_ width: Int) {
    let wide = ["한국어로 쓴 아주 긴 제목입니다", "👩‍👩‍👧‍👦🇰🇷 e\u{301}", String(repeating: "w", count: 90), ""]
    for seed in UInt64(1)...20 {
      var random = SeededGenerator(seed: seed)
      let screen = screen(of: wide + hostileTexts, &random)
      for drawn in [screen, everything()] {
        for line in drawn.text(width: width).split(separator: "\n") {
          #expect(DisplayWidth.of(line) <= max(24, width), "seed \(seed): \(line)")
        }
      }
    }
  }

  @Test func hands_nothing_to_the_terminal_that_it_would_act_on() {
    for seed in UInt64(1)...50 {
      var random = SeededGenerator(seed: seed)
      let screen = screen(of: hostileTexts, &random)
      let plain = screen.text(width: 60)
      let colored = screen.text(width: 60, isColored: true)
        .replacing(/\u{1B}\[(0|1|2|7|31|33|34)m/, with: "")
      for text in [plain, colored] {
        for scalar in text.unicodeScalars where scalar != "\n" {
          #expect(!Printable.isDangerous(scalar), "seed \(seed): U+\(scalar.value)")
        }
      }
    }
  }

  @Test func a_hostile_title_is_shown_as_it_is_written() {
    let text = Screen(title: "safe\u{202E}gnp.exe \u{1B}[2J").text()
    #expect(text == "safe\\u{202e}gnp.exe \\u{1b}[2J\n")
  }

  @Test func words_are_wrapped_and_long_ones_broken() {
    #expect(Printable.wrapped("one two three", to: 7) == ["one two", "three"])
    #expect(Printable.wrapped("abcdefghij", to: 4) == ["abcd", "efgh", "ij"])
    #expect(Printable.wrapped("쌀과콩 a", to: 4) == ["쌀과", "콩 a"])
    #expect(Printable.wrapped("", to: 4) == [""])
  }
}
