import EventStoreTesting
import JSONTree
import Testing

@Suite struct JSONDiffTests {
  @Test(arguments: [UInt64(1), 2, 3, 4])
  func a_patch_turns_the_old_tree_into_the_new_one(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for round in 0..<1500 {
      let old = random.tree(depth: 4)
      let new = round % 2 == 0 ? random.changed(old) : random.tree(depth: 4)
      let patch = JSONPatch(from: old, to: new)
      let result = try patch.applied(to: old)
      try #require(result == new, "seed \(seed), round \(round): \(old) to \(new) by \(patch)")
      #expect(patch.operations.isEmpty == (old == new))
      #expect(try JSONPatch(JSONValue(parsing: patch.json.serialized)) == patch)
    }
  }

  @Test(arguments: [
    (#"{"value":1}"#, #"{"value":2}"#, #"[{"op":"replace","path":"/value","value":2}]"#),
    (#"{"value":1}"#, #"{"value":1.0}"#, "[]"),
    (#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#, "[]"),
    (
      #"{"b":1,"a":1,"c":1}"#, #"{"c":1,"d":1,"a":2}"#,
      #"[{"op":"replace","path":"/a","value":2},{"op":"remove","path":"/b"},"#
        + #"{"op":"add","path":"/d","value":1}]"#
    ),
    ("[1,2,3]", "[1,2,3,4]", #"[{"op":"add","path":"/3","value":4}]"#),
    ("[1,2,3]", "[0,1,2,3]", #"[{"op":"add","path":"/0","value":0}]"#),
    ("[1,2,3,4]", "[1,4]", #"[{"op":"remove","path":"/2"},{"op":"remove","path":"/1"}]"#),
    (
      #"[{"t":"a","done":false},2]"#, #"[{"t":"a","done":true},2]"#,
      #"[{"op":"replace","path":"/0/done","value":true}]"#
    ),
    (
      "[1,2,3,4,5,6]", "[0,2,3,7,5,6,8]",
      #"[{"op":"replace","path":"/0","value":0},{"op":"replace","path":"/3","value":7},"#
        + #"{"op":"add","path":"/6","value":8}]"#
    ),
    (#"{"a/b~":1}"#, #"{"a/b~":2}"#, #"[{"op":"replace","path":"/a~1b~0","value":2}]"#),
    ("1", "[]", #"[{"op":"replace","path":"","value":[]}]"#),
    (#"{"a":1,"a":2}"#, #"{"a":2}"#, #"[{"op":"replace","path":"","value":{"a":2}}]"#),
  ])
  func a_patch_is_short_and_in_the_order_of_the_keys(
    _ old: String, _ new: String, _ patch: String
  ) throws {
    let found = try JSONPatch(from: JSONValue(parsing: old), to: JSONValue(parsing: new))
    #expect(found.description == patch)
  }

  @Test func a_few_edits_of_a_long_array_are_a_few_operations() throws {
    let old = (0..<10_000).map { JSONValue.number(JSONNumber($0)) }
    var new = old
    new.remove(at: 9000)
    new.insert("new", at: 5000)
    new.insert("first", at: 10)
    let patch = JSONPatch(from: .array(old), to: .array(new))
    #expect(patch.operations.count == 3)
    #expect(try patch.applied(to: .array(old)) == .array(new))
  }

  @Test func a_rewritten_long_array_is_replaced_position_by_position() throws {
    let old = (0..<10_000).map { JSONValue.number(JSONNumber($0)) }
    let new = (0..<10_001).map { JSONValue.number(JSONNumber($0 * 7 % 10_007 + 1)) }
    let clock = ContinuousClock()
    var patch = JSONPatch()
    let time = clock.measure { patch = JSONPatch(from: .array(old), to: .array(new)) }
    #expect(patch.operations.count <= 10_001)
    #expect(try patch.applied(to: .array(old)) == .array(new))
    #expect(time < .seconds(30))
  }
}
