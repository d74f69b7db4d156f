/// A rectangle of a screen. What is drawn into it, at places from its own corner, stays inside.
struct Area: Hashable, Sendable {
  var column: Int
  var row: Int
  var width: Int
  var height: Int

  /// The rows from `top` on, `height` of them at most.
  func rows(from top: Int, _ height: Int = .max) -> Area {
    let top = min(max(0, top), self.height)
    return Area(
      column: column, row: row + top, width: width, height: min(height, self.height - top))
  }

  /// The columns from `left` on, `width` of them at most.
  func columns(from left: Int, _ width: Int = .max) -> Area {
    let left = min(max(0, left), self.width)
    return Area(
      column: column + left, row: row, width: min(width, self.width - left), height: height)
  }
}

extension ScreenBuffer {
  /// Writes `text` into a row of `area`.
  /// - Returns: the column behind it, in the area.
  @discardableResult
  mutating func draw(
    _ text: String, in area: Area, at column: Int = 0, row: Int = 0, _ style: CellStyle = .plain
  ) -> Int {
    guard row >= 0, row < area.height, column < area.width else { return column }
    return write(
      text, at: area.column + column, area.row + row, limit: area.column + area.width,
      style: style) - area.column
  }

  /// Writes pieces one behind the other.
  @discardableResult
  mutating func draw(
    _ pieces: [StyledText], in area: Area, at column: Int = 0, row: Int = 0
  ) -> Int {
    pieces.reduce(column) { draw($1.text, in: area, at: $0, row: row, $1.style) }
  }

  /// Blanks a row of `area` in a style.
  mutating func fill(_ area: Area, row: Int, _ style: CellStyle = .plain) {
    draw(String(repeating: " ", count: max(0, area.width)), in: area, row: row, style)
  }

  /// Blanks all of `area`.
  mutating func clear(_ area: Area) {
    for row in 0..<max(0, area.height) { fill(area, row: row) }
  }

  /// Shows a row of `area` as the selected one.
  mutating func select(_ area: Area, row: Int) {
    guard (0..<area.height).contains(row) else { return }
    restyle(area.column..<area.column + area.width, row: area.row + row) { $0.reversed }
  }
}

/// A piece of a line and how it looks.
struct StyledText: Hashable, Sendable {
  var text: String
  var style: CellStyle

  /// `text`, which must be fit for a terminal, in `style`.
  init(_ text: String, _ style: CellStyle = .plain) { (self.text, self.style) = (text, style) }
}

extension [StyledText] {
  /// The same text with each occurrence of `pattern` shown as a hit.
  func highlighting(_ pattern: SearchPattern?) -> [StyledText] {
    guard let pattern else { return self }
    let whole = map(\.text).joined()
    let hits = pattern.ranges(in: whole)
    guard !hits.isEmpty else { return self }
    var (pieces, place) = ([StyledText](), whole.startIndex)
    for piece in self {
      let end = whole.utf8.index(place, offsetBy: piece.text.utf8.count)
      pieces += Self.split(whole, place..<end, piece.style, hits)
      place = end
    }
    return pieces
  }

  private static func split(
    _ whole: String, _ range: Range<String.Index>, _ style: CellStyle,
    _ hits: [Range<String.Index>]
  ) -> [StyledText] {
    var (pieces, place) = ([StyledText](), range.lowerBound)
    for hit in hits where hit.overlaps(range) {
      let inside = hit.clamped(to: range)
      if place < inside.lowerBound {
        pieces.append(StyledText(String(whole[place..<inside.lowerBound]), style))
      }
      pieces.append(StyledText(String(whole[inside]), style.hit))
      place = inside.upperBound
    }
    if place < range.upperBound {
      pieces.append(StyledText(String(whole[place..<range.upperBound]), style))
    }
    return pieces
  }
}
