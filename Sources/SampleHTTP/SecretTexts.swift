/// Texts of which no message may quote a piece.
struct SecretTexts {
  /// Fewer characters of a token tell nothing: every sentence has some of them.
  static let shortestPiece = 8

  private var pieces: Set<ArraySlice<UInt8>> = []
  private var shortTexts: Set<String> = []

  init(_ texts: [String]) {
    for text in texts.map({ $0.lowercased() }) where !text.isEmpty {
      let bytes = ArraySlice(text.utf8)
      if bytes.count < Self.shortestPiece { shortTexts.insert(text) }
      pieces.formUnion(Self.pieces(of: bytes))
    }
  }

  /// Whether `text` has a piece of one of them in it, in whatever case its letters are.
  ///
  /// - Complexity: O(n) for n bytes of `text`, where no secret is shorter than a piece.
  func appear(in text: String) -> Bool {
    let text = text.lowercased()
    return Self.pieces(of: ArraySlice(text.utf8)).contains(where: pieces.contains)
      || shortTexts.contains(where: text.contains)
  }

  private static func pieces(of bytes: ArraySlice<UInt8>) -> some Sequence<ArraySlice<UInt8>> {
    bytes.indices.dropLast(shortestPiece - 1).lazy.map { bytes[$0..<$0 + shortestPiece] }
  }
}
