import Foundation
import JSONTree
import Refold
import Synchronization
import Testing

/// A state with one of everything.
private struct Everything: Encodable {
  enum Choice: Encodable {
    case none
    case labelled(by: Int, text: String)
    case unlabelled(Int, [String])
  }

  struct Point: Encodable, Hashable { var x = 1, y = -2 }

  class Base: Encodable { var name = "base" }

  final class Derived: Base {
    var more = [1, 2]
    private enum CodingKeys: String, CodingKey { case more }

    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try super.encode(to: container.superEncoder())
      try container.encode(more, forKey: .more)
    }
  }

  var number = 12
  var decimal = 1.5
  var text = "a \"quoted\" text\n"
  var absent: Int?
  var explicit = ["null": Int?.none, "one": 1]
  var choices = [Choice.none, .labelled(by: 2, text: "x"), .unlabelled(3, ["y", "z"])]
  var points = [Point(), Point(x: 3, y: 4)]
  var matrix = [[1, 2], [], [3]]
  var odd = ["": 0, "a/b": 1, "m~n": 2, "~1": 3, "-": 4, "0": 5, "01": 6]
  var set: Set<String> = ["one", "two", "three", "four"]
  var pairs = [Point(): ["p"], Point(x: 9, y: 9): ["q", "r"]]
  var byNumber = [7: "seven", 8: "eight"]
  var derived = Derived()
  var date = Date(timeIntervalSince1970: 1.25)
  var data = Data([1, 2, 3])
  var url = URL(string: "https://example.org/a?b=c")
  var money = Decimal(string: "12.345678901234567890")
  var secret = Secret("hidden")
  var pulse = Pulse(wrappedValue: ["x": 1])
}

/// Nested containers written in turn, keys written twice, elements that failed: whatever a type's own
/// coding can do.
private struct Winding: Encodable {
  private enum Key: String, CodingKey { case a, b, c, d }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    var other = encoder.container(keyedBy: Key.self)
    var one = container.nestedContainer(keyedBy: Key.self, forKey: .a)
    var again = other.nestedContainer(keyedBy: Key.self, forKey: .a)
    try again.encode(2, forKey: .b)
    try one.encode([1, 2], forKey: .a)
    try one.encode("first", forKey: .c)
    try again.encode("last", forKey: .c)
    var list = container.nestedUnkeyedContainer(forKey: .b)
    while list.count < 3 { try list.encode(list.count) }
    var inner = list.nestedContainer(keyedBy: Key.self)
    var deeper = list.nestedUnkeyedContainer()
    try inner.encode(true, forKey: .d)
    try deeper.encodeNil()
    try ["super": 1].encode(to: list.superEncoder())
    list = container.nestedUnkeyedContainer(forKey: .b)
    try list.encode("after")
    try container.encode(1, forKey: .d)
    try container.encode(["x": [2]], forKey: .d)
    try [5, 6].encode(to: container.superEncoder(forKey: .c))
  }
}

private struct Failing: Encodable {
  private enum Key: String, CodingKey { case list }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    var list = container.nestedUnkeyedContainer(forKey: .list)
    try list.encode("zero")
    try? list.encode(["x": Double.infinity])
    try list.encode("one")
  }
}

/// Notes that it was encoded.
private final class Witness: Encodable, Sendable {
  let count = Mutex(0)

  func encode(to encoder: any Encoder) throws {
    count.withLock { $0 += 1 }
    var container = encoder.singleValueContainer()
    try container.encode("seen")
  }
}

@Suite struct PickingTests {
  private let codec = EventCodec()

  /// Every place in `value`.
  private static func places(_ value: JSONValue, _ at: JSONPointer = JSONPointer()) -> [JSONPointer]
  {
    switch value {
    case .object(let object):
      [at] + object.members.flatMap { places($0.value, at.appending($0.key)) }
    case .array(let elements):
      [at] + elements.enumerated().flatMap { places($0.element, at.appending($0.offset)) }
    case .null, .bool, .number, .string: [at]
    }
  }

  private func expectPicks<T: Encodable>(_ value: T) throws {
    let whole = try JSONValue(parsing: codec.encode(value))
    let places = Self.places(whole)
    for place in places {
      for pointer in [place] + Self.wrong.map({ JSONPointer(tokens: place.tokens + [$0]) }) {
        let picked = try codec.encode(value, at: pointer)
        #expect(picked == whole[pointer]?.serialized, "\(T.self) at \(pointer)")
      }
    }
  }

  private static let wrong = ["nothing", "-", "-1", "00", "", "99", "super", "1"]

  @Test func a_picked_value_is_what_the_whole_has_there() throws {
    try expectPicks(Everything())
    try expectPicks(Winding())
    try expectPicks([Everything.Choice.none, .unlabelled(1, ["a"])])
    try expectPicks(Set([["a"], ["b", "c"], []]))
    try expectPicks([Everything.Point(): Winding()])
    try expectPicks("text")
    try expectPicks(Int?.none)
    try expectPicks([[[String]]]())
  }

  @Test func escapes_of_a_pointer_name_keys_with_slashes_and_tildes() throws {
    let value = ["a/b": 1, "m~n": 2, "~1": 3]
    #expect(try codec.encode(value, at: JSONPointer("/a~1b")) == Array("1".utf8))
    #expect(try codec.encode(value, at: JSONPointer("/m~0n")) == Array("2".utf8))
    #expect(try codec.encode(value, at: JSONPointer("/~01")) == Array("3".utf8))
    #expect(try codec.encode(value, at: JSONPointer("/~1")) == nil)
  }

  @Test func what_lies_beside_the_way_is_not_encoded() throws {
    struct State: Encodable {
      let beside = Witness()
      let list = [Witness(), Witness(), Witness()]
      let table = ["a": Witness(), "b": Witness()]
    }
    let state = State()
    let seen = {
      (state.list + state.table.values + [state.beside]).map { $0.count.withLock { $0 } }
    }
    #expect(try codec.encode(state, at: JSONPointer("/list/1")) == Array(#""seen""#.utf8))
    #expect(seen().reduce(0, +) == 1)
    #expect(try codec.encode(state, at: JSONPointer("/table/b")) == Array(#""seen""#.utf8))
    #expect(seen().reduce(0, +) == 2)
    #expect(try codec.encode(state, at: JSONPointer("/list/3")) == nil)
    #expect(try codec.encode(state, at: JSONPointer("/beside/x")) == nil)
    #expect(state.list[1].count.withLock { $0 } == 1)
    #expect(state.table["b"]?.count.withLock { $0 } == 1)
  }

  @Test func what_cannot_be_written_matters_only_where_it_is_asked_for() throws {
    struct State: Encodable { var good = 1, bad = [0, Double.nan] }
    #expect(try codec.encode(State(), at: JSONPointer("/good")) == Array("1".utf8))
    #expect(try codec.encode(State(), at: JSONPointer("/bad/0")) == Array("0".utf8))
    let error = #expect(throws: CodecError.self) {
      try codec.encode(State(), at: JSONPointer("/bad/1"))
    }
    #expect(error?.description == "at /bad/1: expected a finite number, found nan")
    #expect(try codec.encode(Failing(), at: JSONPointer("/list/0")) == Array(#""zero""#.utf8))
  }
}
