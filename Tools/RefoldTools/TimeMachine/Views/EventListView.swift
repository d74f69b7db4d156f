import EventStoreCore

/// Draws the lines of the event list.
struct EventListView {
  let position: Seq
  /// The other end of the range that is compared, if one is marked.
  let mark: Seq?
  let bookmarks: Set<Seq>
  /// When the session began: elapsed time counts from there.
  let began: Timestamp
  let last: Seq
  let pattern: SearchPattern?
  let isFocused: Bool

  func draw(_ layout: EventListLayout, on screen: inout ScreenBuffer, in area: Area) {
    for (row, line) in layout.lines.prefix(max(0, area.height)).enumerated() {
      screen.draw(pieces(line, in: area).highlighting(pattern), in: area, row: row)
      // Where a filter hides the position, no line is it.
      if line.seq == position { select(row, on: &screen, area) }
    }
  }

  private func select(_ row: Int, on screen: inout ScreenBuffer, _ area: Area) {
    if isFocused { return screen.select(area, row: row) }
    screen.draw("›", in: area, row: row, .bold)
    screen.restyle(area.column..<area.column + area.width, row: area.row + row) {
      var style = $0.bolder
      style.isUnderlined = true
      style.isDim = false
      return style
    }
  }

  private func pieces(_ line: EventListLayout.Line, in area: Area) -> [StyledText] {
    switch line {
    case .start(let seq):
      let text = seq == .zero ? "the initial state" : "before the first of these events"
      return lead(seq, nil, area) + [StyledText(text, .dim)]
    case .cause(let row):
      return lead(nil, nil, area)
        + [StyledText("↑ \(row.seq) \(Self.text(row, area).name)", .dim)]
    case .event(let row, let isIndented):
      let indent = StyledText(isIndented ? "  " : "")
      return lead(row.seq, row.header.recordedAt, area) + [indent] + body(row, area)
    }
  }

  /// The marks, the seq and the time.
  private func lead(_ seq: Seq?, _ time: Timestamp?, _ area: Area) -> [StyledText] {
    let isMarked = seq != nil && seq == mark
    let isBookmarked = seq.map(bookmarks.contains) ?? false
    let sign = isMarked ? "v" : isBookmarked ? "*" : isInRange(seq) ? "│" : " "
    let width = "\(last)".count
    var pieces = [
      StyledText(sign, .colored(.magenta, bold: true)),
      StyledText(Printable.padded(seq.map { "\($0)" } ?? "", to: width, right: true)),
    ]
    if area.width >= width + 32 {
      let elapsed = time.map { ElapsedTime.text(from: began, to: $0) } ?? ""
      pieces.append(StyledText(Printable.padded(elapsed, to: 10, right: true), .dim))
    }
    return pieces + [StyledText(area.width >= 30 ? "  " : " ")]
  }

  private func isInRange(_ seq: Seq?) -> Bool {
    guard let seq, let mark else { return false }
    return seq > min(mark, position) && seq <= max(mark, position)
  }

  private func body(_ row: EventRow, _ area: Area) -> [StyledText] {
    let (name, details) = Self.text(row, area)
    let style = CellStyle(row.kind)
    switch row.kind {
    case .action, .mutation:
      if name.isEmpty { return [StyledText(details, style)] }
      return [StyledText(name, style), StyledText(details.isEmpty ? "" : " \(details)")]
    case .failed: return [StyledText(row.kind.name, style), StyledText(" \(details)")]
    // Whose effect it is says the action above; the owner means nothing to people.
    case .pending, .completed, .cancelled: return [StyledText(row.kind.name, style)]
    }
  }

  private static func text(_ row: EventRow, _ area: Area) -> (name: String, details: String) {
    // A character may have some dozens of bytes, and more than the width is not seen.
    (row.name, String(row.details.prefix(max(0, area.width))))
  }
}
