/// Draws screens on a terminal by what differs from the one before.
struct ScreenPainter {
  private var shown: ScreenBuffer?
  private let isColored: Bool

  /// A painter for a terminal that shows nothing yet.
  init(isColored: Bool) { self.isColored = isColored }

  /// Forgets what the terminal shows: the next screen is drawn whole.
  mutating func forget() { shown = nil }

  /// The bytes that turn what the terminal shows into `screen`.
  mutating func paint(_ screen: ScreenBuffer) -> [UInt8] {
    var output = ""
    if shown?.columns != screen.columns || shown?.rows != screen.rows {
      shown = ScreenBuffer(columns: screen.columns, rows: screen.rows)
      output += "\u{1B}[0m\u{1B}[2J"
    }
    let old = shown ?? screen
    if old.cursor != nil { output += "\u{1B}[?25l" }
    var style: CellStyle?
    for row in 0..<screen.rows { paint(row, of: screen, over: old, &style, &output) }
    if style != nil { output += "\u{1B}[0m" }
    if let cursor = screen.cursor {
      output += Self.move(cursor.column, cursor.row) + "\u{1B}[?25h"
    }
    shown = screen
    return Array(output.utf8)
  }

  private func paint(
    _ row: Int, of screen: ScreenBuffer, over old: ScreenBuffer, _ style: inout CellStyle?,
    _ output: inout String
  ) {
    // The column that the terminal's cursor is known to stand in.
    var known: Int?
    for column in 0..<screen.columns {
      let cell = screen[column, row]
      if cell.width == 0 || cell == old[column, row] { continue }
      if known != column { output += Self.move(column, row) }
      if style != cell.style {
        output += cell.style.sequence(isColored: isColored)
        style = cell.style
      }
      output.append(cell.character)
      // Terminals disagree on how wide some characters are: behind them, say where to go on.
      known = cell.character.isASCII ? column + 1 : nil
    }
  }

  private static func move(_ column: Int, _ row: Int) -> String {
    "\u{1B}[\(row + 1);\(column + 1)H"
  }
}
