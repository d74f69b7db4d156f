import EventStoreTesting
import JSONTree
import Testing

@Suite("A patch between texts") struct JSONTextDiffTests {
  /// Numbers that are equal and written in two ways may be aligned in another way.
  @Test(arguments: [UInt64(1), 2, 3, 4])
  func is_the_one_between_their_values(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for round in 0..<1500 {
      let old = random.tree(depth: 4)
      let new = round % 2 == 0 ? random.changed(old) : random.tree(depth: 4)
      let (one, other) = (old.canonical, new.canonical)
      let expected = try JSONPatch(from: JSONValue(parsing: one), to: JSONValue(parsing: other))
      try #require(
        text(patch(one, other)) == expected.description,
        "seed \(seed), round \(round): \(old) to \(new)")
      #expect(text(appended(expected)) == expected.description)
    }
  }

  @Test(arguments: [UInt64(5), 6])
  func turns_one_into_the_other_however_they_are_written(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for round in 0..<1500 {
      let old = random.tree(depth: 4)
      let new = round % 2 == 0 ? random.changed(old) : random.tree(depth: 4)
      let patch = try JSONPatch(JSONValue(parsing: patch(old.serialized, new.serialized)))
      let result = try patch.applied(to: old)
      try #require(result == new, "seed \(seed), round \(round): \(old) to \(new) by \(patch)")
    }
  }

  @Test(arguments: [
    (#"{"a":1}"#, #"{"a":1}"#, "[]"),
    (#"[1,2,3]"#, "[]", #"[{"op":"replace","path":"","value":[]}]"#),
    (#"{"a":[1]}"#, #"{"a":[]}"#, #"[{"op":"remove","path":"/a/0"}]"#),
    (
      #"{"l":[{"id":1,"n":0},{"id":2,"n":0},{"id":3,"n":0},{"id":4,"n":0}]}"#,
      #"{"l":[{"id":1,"n":0},{"id":3,"n":0},{"id":2,"n":7},{"id":4,"n":0}]}"#,
      #"[{"op":"move","from":"/l/2","path":"/l/1"},{"op":"replace","path":"/l/2/n","value":7}]"#
    ),
    (
      #"{"a/\"b":{"x":"1\n"}}"#, #"{"a/\"b":{"x":"2\t"}}"#,
      #"[{"op":"replace","path":"/a~1\"b/x","value":"2\t"}]"#
    ),
  ])
  func examples(_ old: String, _ new: String, _ expected: String) throws {
    let (old, new) = try (JSONValue(parsing: old), JSONValue(parsing: new))
    let patch = try JSONValue(parsing: patch(old.serialized, new.serialized))
    #expect(try patch == JSONValue(parsing: expected))
    #expect(try JSONPatch(patch).applied(to: old) == new)
  }

  @Test func the_same_text_is_told_without_a_patch() throws {
    var (one, other) = (IndexedJSON(), IndexedJSON())
    try one.read { $0 = Array(#"{"a":"a text of some length"}"#.utf8) }
    let isNews = try other.read(after: one) { $0 = Array(#"{"a":"a text of some lengtH"}"#.utf8) }
    let isNewsAgain = try other.read(after: one) { $0 = one.bytes }
    #expect(isNews && !isNewsAgain)
  }

  private func patch(_ old: [UInt8], _ new: [UInt8]) throws -> [UInt8] {
    var (one, other, patch) = (IndexedJSON(), IndexedJSON(), [UInt8]())
    try one.read { $0 = old }
    try other.read { $0 = new }
    JSONPatch.append(from: one, to: other, to: &patch)
    return patch
  }

  private func appended(_ patch: JSONPatch) -> [UInt8] {
    var bytes: [UInt8] = []
    patch.append(to: &bytes)
    return bytes
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
