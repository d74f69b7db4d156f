/// Tiles as text: in one row as far as it goes, or in as many as they need.
struct TileText {
  private static let tileWidth = 22
  private static let titleRows = 2

  let width: Int
  let pen: TextPen

  private var frame: TextFrame { TextFrame(width: min(Self.tileWidth, width), pen: pen) }
  private var perRow: Int { max(1, (width + 1) / (frame.width + 1)) }

  /// The tiles of which the row is full, and how many there are to the side.
  func shelf(_ cells: [Cell]) -> [String] {
    let hidden = cells.count - perRow
    let row = self.row(Array(cells.prefix(perRow)))
    return hidden > 0 ? row + [pen.write("→ \(hidden) more", .dim)] : row
  }

  /// All of them.
  func grid(_ cells: [Cell]) -> [String] {
    stride(from: 0, to: cells.count, by: perRow).flatMap { start in
      row(Array(cells[start..<min(start + perRow, cells.count)]))
    }
  }

  /// Tiles side by side, as high as the highest.
  private func row(_ cells: [Cell]) -> [String] {
    let hasTop = cells.contains { $0.symbol != nil || $0.badge != nil }
    let tiles = cells.map { tile($0, hasTop: hasTop) }
    let height = tiles.map(\.count).max() ?? 0
    let blank = String(repeating: " ", count: frame.inner)
    let framed = tiles.map { tile in
      frame.lines(around: [tile + Array(repeating: blank, count: height - tile.count)])
    }
    return (0..<height + 2).map { line in framed.map { $0[line] }.joined(separator: " ") }
  }

  private func tile(_ cell: Cell, hasTop: Bool) -> [String] {
    if cell.look == .placeholder { return [frame.placeholder(0.8), frame.placeholder(0.5)] }
    let symbol = Printable.cut(Printable.line(cell.symbol ?? ""), to: frame.inner / 2)
    let top = hasTop ? [frame.row(symbol, .plain, badge: cell.badge)] : []
    let mark = cell.look == .selected ? "▸ " : ""
    let title = Printable.wrapped(mark + cell.title, to: frame.inner)
    var shown = Array(title.prefix(Self.titleRows))
    if title.count > shown.count, let last = shown.popLast() {
      shown.append(Printable.cut(last + " …", to: frame.inner))
    }
    return top + shown.map { frame.row($0, .bold) }
      + cell.lines.map { line in
        frame.row(Printable.cut(Printable.line(line), to: frame.inner), .dim)
      }
  }
}
