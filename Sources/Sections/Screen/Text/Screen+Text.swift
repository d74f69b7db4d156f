extension Screen {
  /// The screen as lines of text, each at most `width` columns wide, with a line feed behind each.
  ///
  /// Whatever the screen's texts hold, none of it reaches a terminal as a control or escape sequence,
  /// or turns the direction of writing around: such characters are shown as `\u{…}`.
  ///
  /// - Parameters:
  ///   - width: columns; at least 24 are taken.
  ///   - isColored: whether a terminal's colours are used.
  /// - Complexity: O(n) for n characters.
  public func text(width: Int = 80, isColored: Bool = false) -> String {
    let drawing = ScreenText(width: max(24, width), pen: TextPen(isColored: isColored))
    let parts =
      [drawing.header(of: self)] + notices.map(drawing.notice) + sections.map(drawing.section)
      + [drawing.buttons(buttons)]
    return parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }
      .joined(separator: "\n")
  }
}

/// What a screen looks like as text. Each function gives lines.
struct ScreenText {
  let width: Int
  let pen: TextPen

  private var frame: TextFrame { TextFrame(width: width, pen: pen) }

  func header(of screen: Screen) -> [String] {
    // The title gives way to who looks, up to half of the line.
    let account = Printable.cut(Printable.line(screen.account ?? ""), to: width / 2)
    let room = width - DisplayWidth.of(account) - (account.isEmpty ? 0 : 2)
    let title = Printable.cut(Printable.line(screen.title), to: room)
    let gap = width - DisplayWidth.of(title) - DisplayWidth.of(account)
    let spaces = String(repeating: " ", count: account.isEmpty ? 0 : gap)
    let first = pen.write(title, .bold) + spaces + pen.write(account, .dim)
    return [first] + plain(screen.subtitle, .dim)
  }

  func notice(_ notice: Notice) -> [String] {
    switch notice.kind {
    case .progress: hanging("…", notice.text, .dim)
    case .news: hanging("→", notice.text, .blue)
    case .error: hanging("!", notice.text, .red)
    case .question:
      frame.lines(around: [frame.rows(notice.text, .bold) + frame.rows(choices(notice), .plain)])
    }
  }

  func section(_ section: ScreenSection) -> [String] {
    plain(section.title, .bold) + cells(of: section) + plain(section.footer, .dim)
  }

  func buttons(_ buttons: [String]) -> [String] {
    if buttons.isEmpty { return [] }
    let texts = buttons.reversed().map { "( \(Printable.line($0)) )" }.joined(separator: " ")
    return Printable.wrapped(texts, to: width).map { Printable.padded($0, to: width, right: true) }
  }

  private func cells(of section: ScreenSection) -> [String] {
    if section.cells.isEmpty { return [] }
    switch section.layout {
    case .chips: return chips(section.cells, to: width)
    case .banner: return section.cells.flatMap { frame.lines(around: [banner($0)]) }
    case .list: return frame.lines(around: section.cells.map(entry))
    case .shelf: return TileText(width: width, pen: pen).shelf(section.cells)
    case .grid: return TileText(width: width, pen: pen).grid(section.cells)
    }
  }

  private func plain(_ text: String?, _ style: TextStyle) -> [String] {
    text.map { Printable.wrapped($0, to: width).map { pen.write($0, style) } } ?? []
  }

  private func hanging(_ sign: String, _ text: String, _ style: TextStyle) -> [String] {
    Printable.wrapped(text, to: width - 2).enumerated().map { index, line in
      pen.write((index == 0 ? sign : " ") + " " + line, style)
    }
  }

  private func choices(_ notice: Notice) -> String {
    notice.choices.map { "[\($0)]" }.joined(separator: " ")
  }
}

// Chips, banners and the entries of lists.
extension ScreenText {
  /// Chips in as many rows of `columns` as they need.
  private func chips(_ cells: [Cell], to columns: Int) -> [String] {
    var (rows, used): ([[String]], Int) = ([], 0)
    for cell in cells {
      let text = label(cell, columns)
      let wide = DisplayWidth.of(text)
      if rows.isEmpty || used + 1 + wide > columns {
        rows.append([])
        used = -1
      }
      rows[rows.count - 1].append(pen.write(text, style(of: cell)))
      used += 1 + wide
    }
    return rows.map { row in
      let text = row.joined(separator: " ")
      return text.hasSuffix(" ") ? String(text.dropLast()) : text
    }
  }

  private func label(_ cell: Cell, _ columns: Int) -> String {
    if cell.look == .placeholder { return "░░░░░░" }
    let title = Printable.cut(Printable.line(cell.title), to: columns - 2)
    // Where there is no colour, brackets tell what is chosen.
    return cell.look == .selected && !pen.isColored ? "[\(title)]" : " \(title) "
  }

  private func style(of cell: Cell) -> TextStyle {
    switch cell.look {
    case .plain: .plain
    case .selected: .inverse
    case .placeholder: .dim
    }
  }

  private func banner(_ cell: Cell) -> [String] {
    if cell.look == .placeholder { return [frame.placeholder(0.6)] }
    return frame.rows(cell.title, .bold) + cell.lines.flatMap { frame.rows($0, .dim) }
  }

  private func entry(_ cell: Cell) -> [String] {
    if cell.look == .placeholder { return [frame.placeholder(0.6), frame.placeholder(0.4)] }
    let mark = cell.look == .selected ? "▸ " : ""
    let badgeWidth = cell.badge.map { DisplayWidth.of(frame.label($0)) + 2 } ?? 0
    let title = Printable.wrapped(mark + cell.title, to: frame.inner - badgeWidth)
    let rows = title.enumerated().map { index, line in
      frame.row(line, .bold, badge: index == 0 ? cell.badge : nil)
    }
    return rows + cell.lines.flatMap { frame.rows($0, .dim) }
  }
}
