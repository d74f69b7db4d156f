import EventStoreTesting
import Foundation
import Refold
import Testing

/// Whatever the order in which containers are asked for and written, the bytes are those of the value.
@Suite struct WrittenOrderTests {
  @Test(arguments: [UInt64(1), 2, 3, 4])
  func the_bytes_do_not_depend_on_the_order_of_writing(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for round in 0..<500 {
      let tree = Tree.random(&random, depth: 4)
      let bytes = try EventCodec().encode(tree)
      let found = String(decoding: bytes, as: UTF8.self)
      try #require(found == tree.json, "seed \(seed), round \(round)")
    }
  }
}

/// A value that is written in one of several ways.
private indirect enum Tree: Encodable {
  case number(Int)
  case text(String)
  case null
  case list([Tree], Way)
  case object([(key: String, value: Tree)], Way)

  enum Way: Int, CaseIterable {
    /// Each value handed to the container.
    case handed
    /// Nested containers, each written before the next is asked for.
    case nested
    /// All nested containers asked for at first, then written from the last to the first.
    case late
    /// Super encoders, asked for at first.
    case supers
    /// As handed, each after a try that fails.
    case failing
  }

  struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  struct Failing: Encodable {
    func encode(to encoder: any Encoder) throws {
      var list = encoder.unkeyedContainer()
      try list.encode("lost")
      var container = list.nestedContainer(keyedBy: Key.self)
      try container.encode(Double.infinity, forKey: Key(stringValue: "x"))
    }
  }
}

extension Tree {
  static func random(_ random: inout SeededGenerator, depth: Int) -> Tree {
    switch random.below(depth > 0 ? 6 : 3) {
    case 0: .number(random.below(2000) - 1000)
    case 1: .text(text(&random))
    case 2: .null
    case 3:
      .list((0..<random.below(5)).map { _ in .random(&random, depth: depth - 1) }, way(&random))
    default:
      .object(
        (0..<random.below(6)).map { _ in (text(&random), .random(&random, depth: depth - 1)) },
        way(&random))
    }
  }

  private static func way(_ random: inout SeededGenerator) -> Way { random.pick(Way.allCases) }

  private static func text(_ random: inout SeededGenerator) -> String {
    let letters = Array("abcdefgh\"\\\n\u{1}é😀!#")
    return String((0..<random.below(11)).map { _ in random.pick(letters) })
  }
}

extension Tree {
  /// What is written, by the rules: keys sorted by bytes, of equal ones the last.
  var json: String {
    switch self {
    case .number(let value): "\(value)"
    case .text(let text): Self.quoted(text)
    case .null: "null"
    case .list(let elements, _): "[" + elements.map(\.json).joined(separator: ",") + "]"
    case .object(let members, _):
      "{"
        + Self.kept(members).map { Self.quoted($0.key) + ":" + $0.value.json }
        .joined(separator: ",") + "}"
    }
  }

  static func kept(_ members: [(key: String, value: Tree)]) -> [(key: String, value: Tree)] {
    var kept: [[UInt8]: (key: String, value: Tree)] = [:]
    for member in members { kept[Array(member.key.utf8)] = member }
    return kept.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
  }

  private static func quoted(_ text: String) -> String {
    "\""
      + text.unicodeScalars.map { scalar in
        switch scalar {
        case "\"": "\\\""
        case "\\": "\\\\"
        case "\n": "\\n"
        case "\u{1}": "\\u0001"
        default: String(scalar)
        }
      }.joined() + "\""
  }
}

extension Tree {
  func encode(to encoder: any Encoder) throws {
    switch self {
    case .number(let value):
      var container = encoder.singleValueContainer()
      try container.encode(value)
    case .text(let text):
      var container = encoder.singleValueContainer()
      try container.encode(text)
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .list(let elements, let way):
      var container = encoder.unkeyedContainer()
      try Self.write(elements, way, to: &container)
    case .object(let members, let way):
      var container = encoder.container(keyedBy: Key.self)
      try Self.write(members, way, to: &container)
    }
  }

  private static func write(
    _ elements: [Tree], _ way: Way, to container: inout any UnkeyedEncodingContainer
  ) throws {
    if way == .supers || way == .late {
      let encoders = elements.map { _ in container.superEncoder() }
      for (element, encoder) in zip(elements, encoders).reversed() {
        try element.encode(to: encoder)
      }
      return
    }
    for element in elements {
      if way == .failing { try? container.encode(Failing()) }
      switch element {
      case .list(let elements, let inner) where way == .nested:
        var nested = container.nestedUnkeyedContainer()
        try write(elements, inner, to: &nested)
      case .object(let members, let inner) where way == .nested:
        var nested = container.nestedContainer(keyedBy: Key.self)
        try write(members, inner, to: &nested)
      default: try container.encode(element)
      }
    }
  }

  private static func write(
    _ members: [(key: String, value: Tree)], _ way: Way,
    to container: inout KeyedEncodingContainer<Key>
  ) throws {
    // Nested containers under one key are one container: only members that count are written so.
    let members = way == .handed || way == .failing ? members : kept(members).reversed()
    if way == .supers || way == .late {
      try writeLate(members, to: &container)
      return
    }
    for (name, value) in members {
      let key = Key(stringValue: name)
      if way == .failing { try? container.encode(Failing(), forKey: key) }
      switch value {
      case .list(let elements, let inner) where way == .nested:
        var nested = container.nestedUnkeyedContainer(forKey: key)
        try write(elements, inner, to: &nested)
      case .object(let members, let inner) where way == .nested:
        var nested = container.nestedContainer(keyedBy: Key.self, forKey: key)
        try write(members, inner, to: &nested)
      default: try container.encode(value, forKey: key)
      }
    }
  }

  /// Asks for every place first, and writes from the last to the first, a part of each at a time.
  private static func writeLate(
    _ members: [(key: String, value: Tree)], to container: inout KeyedEncodingContainer<Key>
  ) throws {
    var lists: [(elements: [Tree], container: any UnkeyedEncodingContainer)] = []
    var others: [(value: Tree, encoder: any Encoder)] = []
    for (name, value) in members {
      let key = Key(stringValue: name)
      if case .list(let elements, _) = value {
        lists.append((elements, container.nestedUnkeyedContainer(forKey: key)))
      } else {
        others.append((value, container.superEncoder(forKey: key)))
      }
    }
    for (value, encoder) in others.reversed() { try value.encode(to: encoder) }
    for place in 0..<(lists.map(\.elements.count).max() ?? 0) {
      for index in lists.indices.reversed() where place < lists[index].elements.count {
        try lists[index].container.encode(lists[index].elements[place])
      }
    }
  }
}
