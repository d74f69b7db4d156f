/// Lines of text, wrapped to the width of where they are shown, and scrolled.
struct TextPane {
  private(set) var lines: [StyledText] = []
  private(set) var top = 0
  /// What is highlighted.
  private var pattern: SearchPattern?
  private var height = 1
  /// The rows for a width, until the lines or the width change.
  private var wrapped: (width: Int, rows: [[StyledText]])?

  /// Shows other lines, from the first one.
  mutating func show(_ lines: [StyledText]) {
    if lines == self.lines { return }
    (self.lines, wrapped, top) = (lines, nil, 0)
  }

  /// Whether it knows `key`: those that scroll.
  mutating func press(_ key: Key) -> Bool {
    switch key {
    case .down, .character("j"): top += 1
    case .up, .character("k"): top -= 1
    case .pageDown, .control("d"), .control("f"): top += max(1, height - 1)
    case .pageUp, .control("u"), .control("b"): top -= max(1, height - 1)
    case .home, .character("g"): top = 0
    case .end, .character("G"): top = .max / 2
    case .character, .control, .left, .right, .enter, .tab, .backTab, .backspace, .delete,
      .escape, .paste, .other:
      return false
    }
    top = max(0, top)
    return true
  }

  mutating func draw(on screen: inout ScreenBuffer, in area: Area) {
    guard area.width > 0, area.height > 0 else { return }
    height = area.height
    if wrapped?.width != area.width {
      wrapped = (area.width, lines.flatMap { Self.wrap($0, to: area.width) })
    }
    let rows = wrapped?.rows ?? []
    top = min(top, max(0, rows.count - area.height))
    for (row, pieces) in rows[top...].prefix(area.height).enumerated() {
      screen.draw(pieces.highlighting(pattern), in: area, row: row)
    }
    drawPlace(of: rows.count, on: &screen, area)
  }

  /// Scrolls to the next line after the top one, or before it, that holds `pattern`, and highlights
  /// it from then on.
  mutating func find(_ pattern: SearchPattern, forward: Bool) -> Bool {
    self.pattern = pattern
    let rows = wrapped?.rows ?? []
    let places = forward ? Array(rows.indices.dropFirst(top + 1)) : rows.indices[..<top].reversed()
    guard let place = places.first(where: { pattern.matches(rows[$0].map(\.text).joined()) })
    else { return false }
    top = place
    return true
  }

  /// Highlights nothing any more.
  mutating func forgetSearch() { pattern = nil }

  /// What of a longer text is seen, in the lower right corner.
  private func drawPlace(of count: Int, on screen: inout ScreenBuffer, _ area: Area) {
    guard count > area.height, area.width >= 16, area.height >= 3 else { return }
    let text = " \(min(count, top + area.height))/\(count) "
    screen.draw(
      text, in: area, at: area.width - text.count, row: area.height - 1, CellStyle.dim.reversed)
  }

  /// Breaks at a space where one is near the end, else where the row is full.
  private static func wrap(_ line: StyledText, to width: Int) -> [[StyledText]] {
    var rows: [[StyledText]] = []
    var (row, columns) = ([Character](), 0)
    for character in line.text {
      let next = DisplayWidth.of(character)
      if columns + next > width, !row.isEmpty {
        let space = row.suffix(width / 3).lastIndex(of: " ").map { $0 + 1 } ?? row.count
        rows.append([StyledText(String(row[..<space]), line.style)])
        row.removeFirst(space)
        columns = row.reduce(0) { $0 + DisplayWidth.of($1) }
      }
      row.append(character)
      columns += next
    }
    rows.append([StyledText(String(row), line.style)])
    return rows
  }
}
