/// A frame of lines around rows of text.
struct TextFrame {
  /// Columns with the frame.
  let width: Int
  let pen: TextPen

  /// Columns within the frame.
  var inner: Int { width - 4 }

  /// The frame around `groups`, with a line between each and the next. A row has `inner` columns.
  func lines(around groups: [[String]]) -> [String] {
    let divider = edge("├", "┤")
    let rows = groups.map { $0.map(framed) }.joined(separator: [divider])
    return [edge("╭", "╮")] + rows + [edge("╰", "╯")]
  }

  private func edge(_ left: String, _ right: String) -> String {
    pen.write(left + String(repeating: "─", count: width - 2) + right, .dim)
  }

  private func framed(_ row: String) -> String {
    pen.write("│", .dim) + " " + row + " " + pen.write("│", .dim)
  }

  /// `text` in rows of `inner` columns.
  func rows(_ text: String, _ style: TextStyle) -> [String] {
    Printable.wrapped(text, to: inner).map { pen.write(Printable.padded($0, to: inner), style) }
  }

  /// What a badge says, in at most half of the row less a gap.
  func label(_ badge: Cell.Badge) -> String {
    Printable.cut(Printable.line(badge.text), to: inner / 2 - 2)
  }

  /// One row of `inner` columns, with a badge at its end, for which `text` leaves room.
  func row(_ text: String, _ style: TextStyle, badge: Cell.Badge? = nil) -> String {
    guard let badge else { return pen.write(Printable.padded(text, to: inner), style) }
    let label = label(badge)
    let room = inner - DisplayWidth.of(label)
    return pen.write(Printable.padded(text, to: room), style)
      + pen.write(label, badge.isOn ? .red : .dim)
  }

  /// A row of `share` of the columns, in grey.
  func placeholder(_ share: Double) -> String {
    let columns = max(1, Int(Double(inner) * share))
    return pen.write(
      Printable.padded(String(repeating: "░", count: columns), to: inner), .dim)
  }
}
