/// How many columns text takes on a terminal.
public enum DisplayWidth {
  /// The columns of `text`.
  /// - Complexity: O(n) for n characters.
  public static func of(_ text: some StringProtocol) -> Int {
    text.reduce(0) { $0 + of($1) }
  }

  /// The columns of one character: 2 for East Asian wide and emoji, 0 for what combines.
  public static func of(_ character: Character) -> Int {
    if let ascii = character.asciiValue { return ascii < 32 ? 0 : 1 }
    guard let first = character.unicodeScalars.first else { return 0 }
    let isEmoji = character.unicodeScalars.contains { $0.value == 0xFE0F }
    if isEmoji || first.properties.isEmojiPresentation { return 2 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: return wide.contains { $0.contains(first.value) } ? 2 : 1
    }
  }

  /// The East Asian wide and fullwidth blocks (Unicode Standard Annex 11), as whole blocks.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
    0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
    0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD,
  ]
}
