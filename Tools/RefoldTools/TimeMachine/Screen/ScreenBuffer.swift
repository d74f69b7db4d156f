/// A screen full of cells: what should be seen.
///
/// Nothing but characters that a terminal only shows can be put into it, whatever text it is handed.
struct ScreenBuffer: Sendable {
  /// One column of one row.
  struct Cell: Hashable, Sendable {
    var character: Character
    var style: CellStyle
    /// Columns of the character: 1, or 2, or 0 for the second column of a wide one.
    var width: UInt8

    static let blank = Cell(character: " ", style: .plain, width: 1)
  }

  /// Of a character that is made of more, as piled up accents are, only so many bytes are shown.
  private static let characterLimit = 64

  let columns: Int
  let rows: Int
  private(set) var cells: [Cell]
  /// Where the terminal's cursor stands, nil where it is not seen.
  var cursor: (column: Int, row: Int)?

  /// A blank screen.
  init(columns: Int, rows: Int) {
    self.columns = max(1, columns)
    self.rows = max(1, rows)
    cells = Array(repeating: .blank, count: self.columns * self.rows)
  }

  subscript(column: Int, row: Int) -> Cell { cells[row * columns + column] }

  /// Writes `text` at a place, cut at `limit`, the first column that is no longer its own.
  /// - Returns: the column behind it.
  @discardableResult
  mutating func write(
    _ text: String, at column: Int, _ row: Int, limit: Int, style: CellStyle
  ) -> Int {
    guard (0..<rows).contains(row), column >= 0 else { return column }
    let end = min(limit, columns)
    var column = column
    for character in text {
      let (shown, width) = Self.shown(character)
      guard width > 0 else { continue }
      guard column + width <= end else {
        // A wide character does not fit into one column.
        if column < end { put(Cell(character: " ", style: style, width: 1), column, row) }
        return end
      }
      put(Cell(character: shown, style: style, width: UInt8(width)), column, row)
      column += width
    }
    return column
  }

  /// Gives every cell of a stretch a style.
  mutating func restyle(
    _ range: Range<Int>, row: Int, _ change: (CellStyle) -> CellStyle
  ) {
    guard (0..<rows).contains(row) else { return }
    for column in range.clamped(to: 0..<columns) {
      cells[row * columns + column].style = change(cells[row * columns + column].style)
    }
  }

  private mutating func put(_ cell: Cell, _ column: Int, _ row: Int) {
    let place = row * columns + column
    separate(column, row)
    cells[place] = cell
    guard cell.width == 2 else { return }
    separate(column + 1, row)
    cells[place + 1] = Cell(character: " ", style: cell.style, width: 0)
  }

  /// Blanks the other half of a wide character whose half at a place is overwritten.
  private mutating func separate(_ column: Int, _ row: Int) {
    let place = row * columns + column
    if cells[place].width == 0, column > 0 {
      cells[place - 1] = Cell(character: " ", style: cells[place - 1].style, width: 1)
    }
    if cells[place].width == 2, column + 1 < columns {
      cells[place + 1] = Cell(character: " ", style: cells[place + 1].style, width: 1)
    }
  }

  /// The character as it may reach a terminal, and its columns.
  private static func shown(_ character: Character) -> (Character, Int) {
    if let ascii = character.asciiValue {
      return (0x20..<0x7F).contains(ascii) ? (character, 1) : ("\u{FFFD}", 1)
    }
    guard character.utf8.count <= characterLimit else { return ("\u{FFFD}", 1) }
    if character.unicodeScalars.contains(where: Printable.isDangerous) { return ("\u{FFFD}", 1) }
    return (character, DisplayWidth.of(character))
  }
}
