import JSONTree
import Testing

/// The examples of RFC 6902, appendix A, and what this module says where it refuses.
@Suite struct JSONPatchTests {
  private func apply(_ patch: String, to document: String) throws -> JSONValue {
    try JSONPatch(JSONValue(parsing: patch)).applied(to: JSONValue(parsing: document))
  }

  @Test(arguments: [
    // A.1 to A.7
    (
      #"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":"qux"}]"#,
      #"{"baz":"qux","foo":"bar"}"#
    ),
    (
      #"{"foo":["bar","baz"]}"#, #"[{"op":"add","path":"/foo/1","value":"qux"}]"#,
      #"{"foo":["bar","qux","baz"]}"#
    ),
    (#"{"baz":"qux","foo":"bar"}"#, #"[{"op":"remove","path":"/baz"}]"#, #"{"foo":"bar"}"#),
    (
      #"{"foo":["bar","qux","baz"]}"#, #"[{"op":"remove","path":"/foo/1"}]"#,
      #"{"foo":["bar","baz"]}"#
    ),
    (
      #"{"baz":"qux","foo":"bar"}"#, #"[{"op":"replace","path":"/baz","value":"boo"}]"#,
      #"{"baz":"boo","foo":"bar"}"#
    ),
    (
      #"{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}"#,
      #"[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]"#,
      #"{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}"#
    ),
    (
      #"{"foo":["all","grass","cows","eat"]}"#, #"[{"op":"move","from":"/foo/1","path":"/foo/3"}]"#,
      #"{"foo":["all","cows","eat","grass"]}"#
    ),
    // A.8
    (
      #"{"baz":"qux","foo":["a",2,"c"]}"#,
      #"[{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2}]"#,
      #"{"baz":"qux","foo":["a",2,"c"]}"#
    ),
    // A.10 and A.11
    (
      #"{"foo":"bar"}"#, #"[{"op":"add","path":"/child","value":{"grandchild":{}}}]"#,
      #"{"foo":"bar","child":{"grandchild":{}}}"#
    ),
    (
      #"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":"qux","xyz":123}]"#,
      #"{"foo":"bar","baz":"qux"}"#
    ),
    // A.14 and A.16
    (#"{"/":9,"~1":10}"#, #"[{"op":"test","path":"/~01","value":10}]"#, #"{"/":9,"~1":10}"#),
    (
      #"{"foo":["bar"]}"#, #"[{"op":"add","path":"/foo/-","value":["abc","def"]}]"#,
      #"{"foo":["bar",["abc","def"]]}"#
    ),
    // Not in the appendix
    (#"{"a":[1]}"#, #"[{"op":"copy","from":"/a","path":"/b"}]"#, #"{"a":[1],"b":[1]}"#),
    (#"{"a":1}"#, #"[{"op":"move","from":"/a","path":"/a"}]"#, #"{"a":1}"#),
    (#"{"a":1}"#, #"[{"op":"add","path":"","value":7}]"#, "7"),
    (#"{"a":1}"#, #"[{"op":"test","path":"/a","value":1.0}]"#, #"{"a":1}"#),
    (#"{"a":{"b":1}}"#, #"[{"op":"move","from":"/a/b","path":"/a"}]"#, #"{"a":1}"#),
  ])
  func a_patch_is_applied(_ document: String, _ patch: String, _ result: String) throws {
    #expect(try apply(patch, to: document) == JSONValue(parsing: result))
  }

  @Test(arguments: [
    // A.9, A.12, A.15
    (
      #"{"baz":"qux"}"#, #"[{"op":"test","path":"/baz","value":"bar"}]"#,
      #"operation 0 (test) at /baz: expected "bar", found "qux""#
    ),
    (
      #"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz/bat","value":"qux"}]"#,
      #"operation 0 (add) at /baz/bat: the root has no member "baz""#
    ),
    (
      #"{"/":9,"~1":10}"#, #"[{"op":"test","path":"/~01","value":"10"}]"#,
      #"operation 0 (test) at /~01: expected "10", found 10"#
    ),
    (
      "[1]", #"[{"op":"replace","path":"/0","value":2},{"op":"add","path":"/3","value":1}]"#,
      "operation 1 (add) at /3: the root has 1 element"
    ),
    (
      #"{"a":[1]}"#, #"[{"op":"remove","path":"/a/-"}]"#,
      #"operation 0 (remove) at /a/-: /a is an array, and "-" is no index of one"#
    ),
    (
      #"{"a":[1]}"#, #"[{"op":"replace","path":"/a/00","value":1}]"#,
      #"operation 0 (replace) at /a/00: /a is an array, and "00" is no index of one"#
    ),
    (
      #"{"a":{"b":1}}"#, #"[{"op":"move","from":"/a","path":"/a/b"}]"#,
      "operation 0 (move) at /a/b: a value cannot be moved from /a into itself"
    ),
    (
      "1", #"[{"op":"remove","path":""}]"#,
      "operation 0 (remove) at the root: the document cannot be removed, only replaced"
    ),
    (
      #"{"a":1}"#, #"[{"op":"remove","path":"/a/b"}]"#,
      "operation 0 (remove) at /a/b: /a is a number"
    ),
  ])
  func a_step_that_cannot_be_taken_is_named(
    _ document: String, _ patch: String, _ message: String
  ) throws {
    let error = #expect(throws: JSONError.self) { try apply(patch, to: document) }
    #expect(error?.description == message)
  }

  @Test(arguments: [
    ("{}", "not a JSON Patch: expected an array, found an object"),
    ("[1]", "not a JSON Patch: operation 0: expected an object, found a number"),
    (#"[{"path":""}]"#, #"not a JSON Patch: operation 0: missing key "op""#),
    (#"[{"op":"add","path":"/a"}]"#, #"not a JSON Patch: operation 0: missing key "value""#),
    (
      #"[{"op":"remove","path":"a"}]"#,
      #"not a JSON Patch: operation 0: path: "a" is no JSON Pointer: it must be empty or start with '/'"#
    ),
    (
      #"[{"op":"spam","path":""}]"#,
      #"not a JSON Patch: operation 0: unknown op "spam", expected add, remove, replace, move, copy or test"#
    ),
  ])
  func what_is_no_patch_is_refused(_ patch: String, _ message: String) throws {
    let error = #expect(throws: JSONError.self) { try apply(patch, to: "{}") }
    #expect(error?.description == message)
  }

  @Test func a_patch_encodes_its_members_in_the_order_of_the_standard() throws {
    let text =
      #"[{"op":"replace","path":"/value","value":2},{"op":"move","from":"/a","path":"/b"},"#
      + #"{"op":"remove","path":"/c"},{"op":"copy","from":"/d","path":"/e"},"#
      + #"{"op":"test","path":"/f","value":null},{"op":"add","path":"/g","value":1.50}]"#
    #expect(try JSONPatch(JSONValue(parsing: text)).description == text)
  }
}
