import EventStoreTesting
import JSONTree
import Testing

@Suite struct JSONValueTests {
  @Test(arguments: [
    #"{"b":1.50,"a":[1e3,-0,"x\u0000"],"c":{"a":null}}"#, #"{"a":1,"a":2,"b":[]}"#,
    "10000000000000000999", "1E-999", #""\"\\/\b\f\n\r\t\u001f\#u{7F}\#u{2028}😀""#, "[{},[],true]",
  ])
  func a_value_prints_as_it_was_read(_ text: String) throws {
    #expect(try JSONValue(parsing: text).serialized == Array(text.utf8))
  }

  @Test func escapes_become_their_scalars_and_only_the_needed_ones_are_written() throws {
    let text = #""\u0041\/\u00e9\ud83d\ude00\u2028\u0000\u001F\u005c\u0022""#
    let value = try JSONValue(parsing: text)
    #expect(value == .string("A/é😀\u{2028}\u{0}\u{1F}\\\""))
    #expect(value.description == "\"A/é😀\u{2028}\\u0000\\u001f\\\\\\\"\"")
  }

  @Test(arguments: [
    (#"{"b":1.0,"a":[10e-1,-0]}"#, #"{"a":[1,0],"b":1}"#),
    (#"{"\u0062":"\u0061\/"}"#, #"{"b":"a/"}"#),
    ("[ 1e2 , 100.00 ]", "[100,100]"),
    (#"{"é":1,"z":2,"😀":3,"\uffff":4,"":5}"#, "{\"\":5,\"z\":2,\"é\":1,\"\u{FFFF}\":4,\"😀\":3}"),
  ])
  func equal_values_have_the_same_canonical_bytes(_ text: String, _ canonical: String) throws {
    let value = try JSONValue(parsing: text)
    #expect(String(decoding: value.canonical, as: UTF8.self) == canonical)
    #expect(try value == JSONValue(parsing: canonical))
  }

  @Test func equality_is_that_of_canonical_bytes() {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<3000 {
      let one = random.tree(depth: 3)
      let other = random.below(2) == 0 ? random.changed(one) : random.tree(depth: 2)
      #expect((one == other) == (one.canonical == other.canonical))
      #expect(one != other || one.hashValue == other.hashValue)
      #expect(one == shuffled(one, &random))
    }
  }

  private func shuffled(_ value: JSONValue, _ random: inout SeededGenerator) -> JSONValue {
    switch value {
    case .object(let object): .object(JSONObject(object.members.shuffled(using: &random)))
    case .array(let elements): .array(elements.map { shuffled($0, &random) })
    case .null, .bool, .number, .string: value
    }
  }

  @Test func strings_that_differ_in_normalization_are_different() {
    #expect(JSONValue.string("\u{E9}") != .string("e\u{301}"))
    #expect(JSONValue.object(JSONObject([.init(key: "\u{E9}", value: 1)]))["e\u{301}"] == nil)
  }

  @Test func members_are_set_in_place_appended_or_removed() {
    var object = JSONObject([.init(key: "a", value: 1), .init(key: "b", value: 2)])
    object["a"] = 3
    object["c"] = 4
    object["b"] = nil
    #expect(JSONValue.object(object).description == #"{"a":3,"c":4}"#)
  }

  @Test func people_get_a_line_for_each_member() throws {
    let value = try JSONValue(parsing: #"{"items":[{"id":1.0},[]],"none":{},"text":"a\nb"}"#)
    #expect(
      value.prettyPrinted == #"""
        {
          "items": [
            {
              "id": 1.0
            },
            []
          ],
          "none": {},
          "text": "a\nb"
        }
        """#)
  }

  @Test func random_bytes_never_do_harm() {
    var random = SeededGenerator(seed: 5)
    let alphabet = Array(#"{}[]:,"\u0123eE+-. truefalsn"#.utf8) + [0, 0x80, 0xC3, 0xA9, 0xF0]
    for _ in 0..<20_000 {
      let bytes = (0..<random.below(24)).map { _ in random.pick(alphabet) }
      guard let value = try? JSONValue(parsing: bytes) else { continue }
      #expect((try? JSONValue(parsing: value.serialized)) == value)
    }
  }
}
