import EventStoreTesting
import JSONTree
import Sections

@testable import RefoldTools

/// Keys are the same however their bytes come; what is shown acts on no terminal.
enum TerminalProperties {
  static func checkKeys(_ input: [UInt8]) throws {
    var whole = KeyDecoder()
    let keys = whole.keys(input)
    var single = KeyDecoder()
    let one = input.flatMap { single.keys([$0]) }
    try require(one == keys, "byte by byte \(one), at once \(keys)")
    let middle = input.count / 2
    var halved = KeyDecoder()
    let halves = halved.keys(input[..<middle]) + halved.keys(input[middle...])
    try require(halves == keys, "in two halves \(halves), at once \(keys)")
    try require(whole.isWaiting == single.isWaiting, "what is kept back differs")
    try require(whole.flush() == single.flush(), "what is kept back is other keys")
    try require(!whole.isWaiting, "something is kept back for ever")
    for case .paste(let text) in keys {
      try require(text.utf8.count <= 3 * KeyDecoder.pasteLimit, "a paste of \(text.utf8.count)")
    }
  }

  static func checkText(_ input: [UInt8]) throws {
    let text = String(decoding: input, as: UTF8.self)
    let line = Printable.line(text)
    try require(
      !line.unicodeScalars.contains(where: Printable.isDangerous),
      "a terminal acts on \(line.debugDescription)")
    try require(Printable.line(line) == line, "what is shown is shown otherwise")
    for width in [0, 1, 7, 40] {
      let cut = Printable.cut(line, to: width)
      try require(DisplayWidth.of(cut) <= max(1, width), "\(cut.debugDescription) is too wide")
      for piece in Printable.wrapped(text, to: width) {
        try require(
          DisplayWidth.of(piece) <= max(2, width), "\(piece.debugDescription) is too wide")
      }
    }
    try checkColours(text)
    try checkJSON(input)
  }

  /// Of what a terminal acts on, only line feeds and short codes of colour are left.
  private static func checkColours(_ text: String) throws {
    var rest = Array(Printable.coloredLines(text).unicodeScalars)[...]
    while let scalar = rest.popFirst() {
      if scalar == "\n" { continue }
      if scalar == "\u{1B}" {
        let digits = rest.dropFirst().prefix { ("0"..."9").contains($0) }.count
        try require(
          rest.first == "[" && (1...2).contains(digits) && rest.dropFirst(digits + 1).first == "m",
          "a code that is no colour is let through: \(text.debugDescription)")
        continue
      }
      try require(
        !Printable.isDangerous(scalar), "a terminal acts on \(text.debugDescription)")
    }
  }

  /// JSON that is shown is the same JSON.
  private static func checkJSON(_ input: [UInt8]) throws {
    guard let value = try? JSONValue(parsing: input) else { return }
    let shownBytes = Printable.json(value.serialized)
    let text = String(decoding: shownBytes, as: UTF8.self)
    try require(
      !text.unicodeScalars.contains { Printable.isDangerous($0) && $0 != "\n" },
      "a terminal acts on \(shown(shownBytes))")
    try require(
      try JSONValue(parsing: shownBytes) == value, "\(shown(shownBytes)) is another value")
  }
}
