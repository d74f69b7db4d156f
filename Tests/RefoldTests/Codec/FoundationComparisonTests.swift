import EventStoreTesting
import Foundation
import JSONTree
import Refold
import Testing

/// What Foundation's coders write is read alike, and what is written here is read alike by them.
@Suite struct FoundationComparisonTests {
  @Test(arguments: [UInt64(1), 2, 3])
  func random_values_are_coded_as_foundation_codes_them(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (codec, encoder, decoder) = (EventCodec(), JSONEncoder(), JSONDecoder())
    for round in 0..<100 {
      let value = random.everything(depth: 3)
      let ours = try codec.encode(value)
      let theirs = Array(try encoder.encode(value))
      let comment: Comment = "seed \(seed), round \(round)"
      try #require(try JSONValue(parsing: ours) == JSONValue(parsing: theirs), comment)
      try #require(try codec.decode(Everything.self, from: theirs) == value, comment)
      try #require(try codec.decodeInput(Everything.self, from: ours) == value, comment)
      try #require(try decoder.decode(Everything.self, from: Data(ours)) == value, comment)
      try #require(try codec.encode(codec.decode(Everything.self, from: theirs)) == ours, comment)
    }
  }

  @Test func keys_are_sorted_all_the_way_down() throws {
    var random = SeededGenerator(seed: 9)
    for _ in 0..<100 {
      let bytes = try EventCodec().encode(random.everything(depth: 3))
      #expect(try Self.isSorted(JSONValue(parsing: bytes)))
    }
  }

  private static func isSorted(_ value: JSONValue) -> Bool {
    switch value {
    case .object(let object):
      object.members.map(\.key) == object.sortedMembers.map(\.key)
        && object.members.allSatisfy { isSorted($0.value) }
    case .array(let elements): elements.allSatisfy(isSorted)
    case .null, .bool, .number, .string: true
    }
  }
}

private enum Choice: Codable, Equatable {
  case none
  case one(Int)
  case two(String, label: Double?)
  indirect case more(Choice, and: [Choice])
}

private struct Coordinate: Codable, Hashable {
  var x: Int8
  var y: Float
}

private class Animal: Codable {
  var name: String

  init(name: String) { self.name = name }
}

private final class Dog: Animal {
  var tricks: [String]

  init(name: String, tricks: [String]) {
    self.tricks = tricks
    super.init(name: name)
  }

  private enum Key: CodingKey { case tricks }

  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    tricks = try container.decode([String].self, forKey: .tricks)
    try super.init(from: container.superDecoder())
  }

  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try super.encode(to: container.superEncoder())
    try container.encode(tricks, forKey: .tricks)
  }
}

private struct Everything: Codable, Equatable {
  var flag: Bool
  var small: Int16
  var big: UInt64
  var wide: Int64
  var real: Double
  var text: String
  var maybe: Int?
  var maybeList: [String?]?
  var choice: Choice
  var choices: [Choice]
  var byName: [String: Coordinate]
  var byNumber: [Int: [Double]]
  var byPlace: [Coordinate: String]
  var blob: Data
  var link: URL?
  var amount: Decimal
  var animal: Dog
  var children: [Everything]

  static func == (left: Everything, right: Everything) -> Bool {
    left.flag == right.flag && left.small == right.small && left.big == right.big
      && left.wide == right.wide && left.real == right.real && left.text == right.text
      && left.maybe == right.maybe && left.maybeList == right.maybeList
      && left.choice == right.choice && left.choices == right.choices
      && left.byName == right.byName && left.byNumber == right.byNumber
      && left.byPlace == right.byPlace && left.blob == right.blob && left.link == right.link
      && left.amount == right.amount && left.animal.name == right.animal.name
      && left.animal.tricks == right.animal.tricks && left.children == right.children
  }
}

extension SeededGenerator {
  fileprivate mutating func list<T>(_ bound: Int, _ element: (inout SeededGenerator) -> T) -> [T] {
    (0..<below(bound)).map { _ in element(&self) }
  }

  fileprivate mutating func text() -> String {
    let scalars = Array("ab\"\\/\n\t\u{0}\u{1F}\u{7F}é\u{301}\u{2028}😀 {}[]:,".unicodeScalars)
    return String(String.UnicodeScalarView(list(12) { scalars[$0.below(scalars.count)] }))
  }

  fileprivate mutating func real() -> Double {
    let value = Double(bitPattern: next())
    return below(2) == 0 && value.isFinite ? value : Double(below(2000) - 1000) / 8
  }

  fileprivate mutating func choice(depth: Int) -> Choice {
    switch below(depth > 0 ? 4 : 3) {
    case 0: .none
    case 1: .one(Int(truncatingIfNeeded: next()))
    case 2: .two(text(), label: below(2) == 0 ? nil : real())
    default: .more(choice(depth: depth - 1), and: list(3) { $0.choice(depth: depth - 1) })
    }
  }

  fileprivate mutating func coordinate() -> Coordinate {
    Coordinate(x: Int8(truncatingIfNeeded: next()), y: Float(below(1000)) / 3)
  }

  fileprivate mutating func dictionary<K: Hashable, V>(
    below bound: Int = 20, _ key: (inout SeededGenerator) -> K,
    _ value: (inout SeededGenerator) -> V
  ) -> [K: V] {
    Dictionary(list(bound) { (key(&$0), value(&$0)) }, uniquingKeysWith: { $1 })
  }

  fileprivate mutating func everything(depth: Int) -> Everything {
    Everything(
      flag: below(2) == 0, small: Int16(truncatingIfNeeded: next()), big: next(),
      wide: Int64(truncatingIfNeeded: next()), real: real(), text: text(),
      maybe: below(2) == 0 ? nil : below(10),
      maybeList: below(2) == 0 ? nil : list(4) { $0.below(2) == 0 ? nil : $0.text() },
      choice: choice(depth: 2), choices: list(4) { $0.choice(depth: 1) },
      byName: dictionary({ $0.text() }, { $0.coordinate() }),
      byNumber: dictionary({ $0.below(100) - 50 }, { random in random.list(3) { $0.real() } }),
      // One pair at most: Foundation writes several in an order that changes from run to run.
      byPlace: dictionary(below: 2, { $0.coordinate() }, { $0.text() }),
      blob: Data(list(20) { UInt8(truncatingIfNeeded: $0.next()) }),
      link: below(2) == 0 ? nil : URL(string: "https://example.org/\(below(100))?q=%20a/b#c"),
      amount: Decimal(Int(truncatingIfNeeded: next())) / 1000,
      animal: Dog(name: text(), tricks: list(3) { $0.text() }),
      children: depth > 0 ? list(3) { $0.everything(depth: depth - 1) } : [])
  }
}
