import EventStoreTesting
import JSONTree
import Testing

@Suite struct JSONItemDiffTests {
  private func patch(_ old: String, _ new: String) throws -> String {
    try JSONPatch(from: JSONValue(parsing: old), to: JSONValue(parsing: new)).description
  }

  private static func items(_ ids: some Sequence<Int>) -> JSONValue {
    .object(JSONObject([.init(key: "items", value: .array(ids.map { item($0) }))]))
  }

  private static func item(_ id: Int, title: String = "t") -> JSONValue {
    ["id": .number(JSONNumber(id)), "title": .string(title), "tags": ["x", "y"]]
  }

  @Test(arguments: [
    (
      "the last became the first", [1, 2, 3, 4], [4, 1, 2, 3],
      #"[{"op":"move","from":"/items/3","path":"/items/0"}]"#
    ),
    (
      "the first became the last", [1, 2, 3, 4], [2, 3, 4, 1],
      #"[{"op":"move","from":"/items/0","path":"/items/3"}]"#
    ),
    ("the first went", [1, 2, 3], [2, 3], #"[{"op":"remove","path":"/items/0"}]"#),
    (
      "one went and one came", [1, 2, 3], [1, 9, 3],
      #"[{"op":"remove","path":"/items/1"},{"op":"add","path":"/items/1","value":"#
        + #"{"id":9,"title":"t","tags":["x","y"]}}]"#
    ),
    (
      "two changed places", [1, 2, 3, 4, 5], [1, 4, 3, 2, 5],
      #"[{"op":"move","from":"/items/3","path":"/items/1"},"#
        + #"{"op":"move","from":"/items/3","path":"/items/2"}]"#
    ),
  ])
  func items_are_matched_by_their_id(
    _ story: String, _ old: [Int], _ new: [Int], _ patch: String
  ) throws {
    let found = JSONPatch(from: Self.items(old), to: Self.items(new))
    #expect(try found.applied(to: Self.items(old)) == Self.items(new))
    if story == "two changed places" {
      #expect(found.operations.count == 2)
    } else {
      #expect(found.description == patch, "\(story)")
    }
  }

  @Test func what_changed_in_an_item_that_moved_is_told_at_its_new_place() throws {
    let found = try patch(
      #"[{"id":"a","n":1},{"id":"b","n":1},{"id":"c","n":1}]"#,
      #"[{"id":"c","n":2},{"id":"a","n":1},{"id":"b","n":1}]"#)
    #expect(
      found == #"[{"op":"move","from":"/2","path":"/0"},{"op":"replace","path":"/0/n","value":2}]"#)
  }

  @Test func a_list_that_was_emptied_is_one_operation() throws {
    #expect(
      try patch(#"{"a":[{"id":1},{"id":2}]}"#, #"{"a":[]}"#)
        == #"[{"op":"replace","path":"/a","value":[]}]"#)
    #expect(try patch("[1]", "[]") == #"[{"op":"remove","path":"/0"}]"#)
  }

  @Test func items_without_an_id_of_their_own_are_aligned_as_any_elements() throws {
    #expect(
      try patch(#"[{"id":1,"n":0},{"id":1,"n":1}]"#, #"[{"id":1,"n":5},{"id":1,"n":6}]"#)
        == #"[{"op":"replace","path":"/0/n","value":5},{"op":"replace","path":"/1/n","value":6}]"#)
    #expect(try !patch(#"[{"id":1},5,{"id":2}]"#, #"[{"id":2},5,{"id":1}]"#).contains("\"move\""))
  }

  @Test(arguments: [UInt64(1), 2, 3, 4])
  func a_patch_turns_any_order_into_any_other(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for round in 0..<600 {
      let old = random.list()
      let new = random.list()
      let patch = JSONPatch(from: old, to: new)
      let result = try patch.applied(to: old)
      try #require(result == new, "seed \(seed), round \(round): \(old) to \(new) by \(patch)")
      #expect(try JSONPatch(JSONValue(parsing: patch.json.serialized)) == patch)
    }
  }

  @Test func one_changed_item_of_ten_thousand_is_one_operation() throws {
    let old = Self.items(0..<10_000)
    var list = (0..<10_000).map { Self.item($0) }
    list[7000] = Self.item(7000, title: "new")
    let new = JSONValue.object(JSONObject([.init(key: "items", value: .array(list))]))
    let patch = JSONPatch(from: old, to: new)
    #expect(
      patch.description == #"[{"op":"replace","path":"/items/7000/title","value":"new"}]"#)
    let removed = JSONPatch(from: old, to: Self.items(1..<10_000))
    #expect(removed.description == #"[{"op":"remove","path":"/items/0"}]"#)
  }

  @Test func ten_thousand_items_in_another_order_are_told_in_time() throws {
    let old = Self.items(0..<10_000)
    let reversed = Self.items((0..<10_000).reversed())
    let clock = ContinuousClock()
    let time = clock.measure {
      #expect(JSONPatch(from: old, to: reversed).operations.count == 1)
    }
    #expect(time < .seconds(30))
    let some = Array(0..<9000) + (9000..<9400).reversed() + Array(9400..<10_000)
    let patch = JSONPatch(from: old, to: Self.items(some))
    #expect(patch.operations.count == 399)
    #expect(try patch.applied(to: old) == Self.items(some))
  }
}

extension SeededGenerator {
  /// A list of some of a few items, in any order, some of them changed.
  fileprivate mutating func list() -> JSONValue {
    var ids = Array(0..<12)
    ids.shuffle(using: &self)
    if below(3) > 0 { ids.sort() }
    if below(2) > 0, let id = ids.popLast() { ids.insert(id, at: below(ids.count)) }
    let kept = ids.prefix(below(13))
    return .array(
      kept.map { id in
        .object(
          JSONObject([
            .init(key: "id", value: .number(JSONNumber(id))),
            .init(key: "n", value: .number(JSONNumber(below(4) == 0 ? 1 : 0))),
          ]))
      })
  }
}
