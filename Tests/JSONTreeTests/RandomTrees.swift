import EventStoreTesting
import JSONTree

extension SeededGenerator {
  static let keys = [
    "", "a", "b", "a/b", "m~n", "~1", "0", "-", "e\u{301}", "é", "\u{0}", "😀", "long key",
  ]
  static let numbers = [
    "0", "-0", "1", "1.0", "10e-1", "2.50", "1e400", "-7", "123456789012345678901",
  ]

  /// A random value, with few different scalars so that equal ones meet often.
  mutating func tree(depth: Int) -> JSONValue {
    switch below(depth > 0 ? 8 : 5) {
    case 0: return .null
    case 1: return .bool(below(2) == 0)
    case 2, 3: return JSONNumber(pick(Self.numbers)).map(JSONValue.number) ?? .null
    case 4: return .string(pick(Self.keys))
    case 5: return object(depth: depth)
    default: return .array((0..<below(7)).map { _ in tree(depth: depth - 1) })
    }
  }

  private mutating func object(depth: Int) -> JSONValue {
    var object = JSONObject()
    for _ in 0..<below(5) { object[pick(Self.keys)] = tree(depth: depth - 1) }
    return .object(object)
  }

  /// `value` with a few things changed in it, as one event changes a state.
  mutating func changed(_ value: JSONValue) -> JSONValue {
    switch value {
    case .array(var elements) where below(4) > 0:
      for _ in 0...below(3) { change(&elements) }
      return .array(elements)
    case .object(var object) where below(4) > 0:
      let key = pick(Self.keys)
      object[key] = below(3) == 0 ? nil : object[key].map { changed($0) } ?? tree(depth: 1)
      return .object(object)
    default: return tree(depth: 2)
    }
  }

  private mutating func change(_ elements: inout [JSONValue]) {
    let place = below(elements.count + 1)
    switch below(3) {
    case 0 where place < elements.count: elements.remove(at: place)
    case 1 where place < elements.count: elements[place] = changed(elements[place])
    default: elements.insert(tree(depth: 1), at: place)
    }
  }
}
