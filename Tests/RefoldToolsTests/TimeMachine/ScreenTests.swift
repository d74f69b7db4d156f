import EventStoreTesting
import Testing

@testable import RefoldTools

/// What a terminal shows after some bytes: enough of one to hold the painter to.
private struct PaintedTerminal {
  let columns: Int
  let rows: Int
  private(set) var cells: [Character]
  private var (column, row) = (0, 0)

  init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
    cells = Array(repeating: " ", count: columns * rows)
  }

  mutating func take(_ bytes: [UInt8]) {
    var text = String(decoding: bytes, as: UTF8.self)[...]
    while let character = text.popFirst() {
      guard character == "\u{1B}" else {
        put(character)
        continue
      }
      text.removeFirst()
      let parameters = text.prefix { !$0.isLetter }
      text = text.dropFirst(parameters.count)
      switch text.popFirst() {
      case "H":
        let place = parameters.split(separator: ";").compactMap { Int($0) }
        (row, column) = (place[0] - 1, place[1] - 1)
      case "J": cells = Array(repeating: " ", count: columns * rows)
      default: break
      }
    }
  }

  private mutating func put(_ character: Character) {
    let width = DisplayWidth.of(character)
    guard row < rows, column + width <= columns else { return }
    cells[row * columns + column] = character
    if width == 2 { cells[row * columns + column + 1] = "\u{0}" }
    column += width
  }
}

@Suite("The screen")
struct ScreenTests {
  @Test func what_is_painted_by_difference_is_the_whole_screen() {
    var generator = SeededGenerator(seed: 7)
    let texts = ["plain", "語語", "a👍b", "é", "한국어 text", "|", "      "]
    var painter = ScreenPainter(isColored: true)
    var terminal = PaintedTerminal(columns: 30, rows: 6)
    for round in 0..<400 {
      var screen = ScreenBuffer(columns: 30, rows: 6)
      for _ in 0..<Int.random(in: 0...12, using: &generator) {
        let text = texts.randomElement(using: &generator) ?? ""
        let style = [CellStyle.plain, .bold, .dim.reversed].randomElement(using: &generator)
        screen.write(
          text, at: Int.random(in: 0..<30, using: &generator),
          Int.random(in: 0..<6, using: &generator),
          limit: Int.random(in: 1...30, using: &generator), style: style ?? .plain)
      }
      terminal.take(painter.paint(screen))
      let expected = screen.cells.map { $0.width == 0 ? "\u{0}" : $0.character }
      #expect(terminal.cells == expected, "round \(round)")
    }
  }

  @Test func the_same_screen_again_costs_nothing() {
    var painter = ScreenPainter(isColored: true)
    var screen = ScreenBuffer(columns: 20, rows: 4)
    screen.write("語 text", at: 0, 0, limit: 20, style: .bold)
    #expect(!painter.paint(screen).isEmpty)
    #expect(painter.paint(screen).isEmpty)
    screen.write("!", at: 19, 3, limit: 20, style: .plain)
    #expect(String(decoding: painter.paint(screen), as: UTF8.self).contains("\u{1B}[4;20H"))
  }

  @Test func a_wide_character_is_never_cut_in_half() {
    var screen = ScreenBuffer(columns: 6, rows: 1)
    screen.write("語語語語", at: 0, 0, limit: 5, style: .plain)
    #expect(screen.cells.map(\.width) == [2, 0, 2, 0, 1, 1])
    screen.write("x", at: 1, 0, limit: 6, style: .plain)
    #expect(screen.cells.map(\.character) == [" ", "x", "語", " ", " ", " "])
    #expect(screen.cells.map(\.width) == [1, 1, 2, 0, 1, 1])
    screen.write("語", at: 1, 0, limit: 6, style: .plain)
    #expect(screen.cells.map(\.width) == [1, 2, 0, 1, 1, 1])
  }

  @Test func nothing_that_a_terminal_acts_on_gets_into_a_cell() {
    var screen = ScreenBuffer(columns: 80, rows: 1)
    let hostile = "\u{1B}[31m\u{9B}31m\u{7}\u{202E}\u{2066}\u{200B}\u{85}\u{2028}\r\nend"
    screen.write(hostile, at: 0, 0, limit: 80, style: .plain)
    for cell in screen.cells {
      for scalar in cell.character.unicodeScalars {
        #expect(scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value))
        #expect(scalar.properties.generalCategory != .format)
      }
    }
    let piled = "a" + String(repeating: "\u{301}", count: 5000)
    screen.write(piled, at: 0, 0, limit: 80, style: .plain)
    #expect(screen[0, 0].character == "\u{FFFD}")
  }

  @Test func without_colours_no_colour_is_set() {
    for color in [CellStyle.Color.red, .green, .blue, .magenta, .cyan] {
      let style = CellStyle.colored(color, bold: true).reversed
      #expect(style.sequence(isColored: false) == "\u{1B}[0;1;7m")
      #expect(style.sequence(isColored: true).contains(";\(color.rawValue)"))
    }
    #expect(CellStyle.plain.hit.sequence(isColored: false) == "\u{1B}[0;1;4m")
  }

  @Test func places_outside_of_the_screen_are_left_alone() {
    var screen = ScreenBuffer(columns: 1, rows: 1)
    screen.write("語", at: 0, 0, limit: 1, style: .plain)
    screen.write("x", at: 5, 0, limit: 9, style: .plain)
    screen.write("x", at: 0, 3, limit: 9, style: .plain)
    #expect(screen[0, 0] == ScreenBuffer.Cell.blank)
  }

  @Test func hits_are_highlighted_across_pieces() {
    let pieces = [StyledText("incr", .bold), StyledText("ease", .dim), StyledText(" 2")]
    let shown = pieces.highlighting(SearchPattern("CREA".lowercased()))
    #expect(shown.map(\.text) == ["in", "cr", "ea", "se", " 2"])
    #expect(shown.map(\.style.isHit) == [false, true, true, false, false])
    #expect(shown.map(\.style.isBold) == [true, true, false, false, false])
  }
}
