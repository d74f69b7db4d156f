import EventStoreCore
import EventStoreTesting

@testable import RefoldTools

/// Positions, times and names of sessions are refused with a reason, or mean what they are shown as.
enum PositionProperties {
  static func check(_ input: [UInt8]) throws {
    let text = String(decoding: input, as: UTF8.self)
    try checkPosition(text, input)
    try checkTime(text)
    try checkName(text, input)
    if input.count >= 8 {
      // Any moment at all, as the rows of a damaged store may hold it.
      let number = input.prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
      try checkTime(Timestamp(microseconds: number).description)
    }
  }

  private static func checkPosition(_ text: String, _ input: [UInt8]) throws {
    let position: PositionArgument
    do {
      position = try PositionArgument(text)
    } catch let failure as Failure {
      return try requireMessage(failure.message, for: input)
    }
    let again = try PositionArgument(position.description)
    try require(
      again.description == position.description, "\(text) is \(position), and that \(again)")
  }

  private static func checkTime(_ text: String) throws {
    guard let time = Timestamp(text) else { return }
    let shown = time.description
    try require(Timestamp(shown) == time, "\(text) is \(shown), which is another time")
    var bytes: [UInt8] = []
    time.append(to: &bytes)
    try require(bytes.elementsEqual(shown.utf8), "\(shown) is also written otherwise")
    try require(text.prefix(19) == shown.prefix(19), "\(text) is taken for \(shown)")
  }

  private static func checkName(_ text: String, _ input: [UInt8]) throws {
    let isGood =
      (1...255).contains(text.utf8.count) && ![0x40, 0x2D].contains(text.utf8.first)
      && text.unicodeScalars.allSatisfy {
        !(0...0x1F).contains($0.value) && !(0x7F...0x9F).contains($0.value)
      }
    do {
      let name = try SessionName(text)
      try require(isGood, "\(shown(input)) is taken for a name")
      try require(name.rawValue.utf8.elementsEqual(text.utf8), "the name was changed")
    } catch let error as EventStoreError {
      try require(!isGood, "\(shown(input)) is refused: \(error)")
      try requireMessage("\(error)", for: input)
    }
  }
}
