extension Printable {
  /// `text` in lines of at most `width` columns, broken between words where that is possible. What
  /// a terminal would act on is shown as `\u{…}`.
  /// - Complexity: O(n) for n characters.
  public static func wrapped(_ text: String, to width: Int) -> [String] {
    let width = max(2, width)
    var lines: [String] = []
    var (line, columns) = ("", 0)
    for word in Printable.line(text).split(separator: " ") {
      for piece in pieces(of: word, width) {
        let wide = DisplayWidth.of(piece)
        if columns > 0, columns + 1 + wide > width {
          lines.append(line)
          (line, columns) = ("", 0)
        }
        if columns > 0 { (line, columns) = (line + " ", columns + 1) }
        (line, columns) = (line + piece, columns + wide)
      }
    }
    return columns > 0 || lines.isEmpty ? lines + [line] : lines
  }

  /// `word` in pieces that each fit into `width` columns.
  private static func pieces(of word: Substring, _ width: Int) -> [String] {
    if DisplayWidth.of(word) <= width { return [String(word)] }
    var pieces: [String] = []
    var (piece, columns) = ("", 0)
    for character in word {
      let wide = DisplayWidth.of(character)
      if columns + wide > width {
        pieces.append(piece)
        (piece, columns) = ("", 0)
      }
      piece.append(character)
      columns += wide
    }
    return pieces + [piece]
  }
}
