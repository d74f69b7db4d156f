import JSONTree
import Testing

@Suite struct JSONPointerTests {
  private static let document = #"""
    {"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6,
     " ": 7, "m~n": 8}
    """#

  /// RFC 6901, section 5.
  @Test(arguments: [
    ("/foo", #"["bar","baz"]"#), ("/foo/0", #""bar""#), ("/", "0"), ("/a~1b", "1"),
    ("/c%d", "2"), ("/e^f", "3"), ("/g|h", "4"), (#"/i\j"#, "5"), (#"/k"l"#, "6"), ("/ ", "7"),
    ("/m~0n", "8"),
  ])
  func a_pointer_finds_its_value(_ pointer: String, _ value: String) throws {
    let document = try JSONValue(parsing: Self.document)
    let pointer = try JSONPointer(pointer)
    #expect(try document.value(at: pointer) == JSONValue(parsing: value))
    #expect(document[pointer] == document[JSONPointer(tokens: pointer.tokens)])
  }

  @Test func the_empty_pointer_is_the_document() throws {
    let document = try JSONValue(parsing: Self.document)
    #expect(try document.value(at: JSONPointer("")) == document)
    #expect(try JSONPointer("").isRoot)
  }

  @Test(arguments: ["", "/", "//", "/~01", "/a~1b/m~0n/0", "/é/e\u{301}", "/-", "/😀"])
  func a_pointer_prints_as_it_was_read(_ text: String) throws {
    #expect(try Array(JSONPointer(text).description.utf8) == Array(text.utf8))
  }

  @Test func tokens_are_escaped_as_they_are_appended() {
    let pointer = JSONPointer().appending("a/b").appending("~1").appending(7).appending("")
    #expect(pointer.description == "/a~1b/~01/7/")
    #expect(pointer.parent?.token == "")
    #expect(pointer.parent?.pointer.description == "/a~1b/~01/7")
    #expect(JSONPointer().parent == nil)
  }

  @Test func pointers_that_differ_in_normalization_are_different() throws {
    #expect(try JSONPointer("/e\u{301}") != JSONPointer("/\u{e9}"))
  }

  @Test func pointers_sort_by_bytes_and_a_place_before_what_lies_in_it() throws {
    let texts = ["/b", "/a/b", "", "/a", "/a0", "/a/a"]
    let sorted = try texts.map { try JSONPointer($0) }.sorted().map(\.description)
    #expect(sorted == ["", "/a", "/a/a", "/a/b", "/a0", "/b"])
  }

  @Test(arguments: [
    ("foo", #""foo" is no JSON Pointer: it must be empty or start with '/'"#),
    ("/~", #""/~" is no JSON Pointer: after '~' must come 0 (for '~') or 1 (for '/')"#),
    ("/~2", #""/~2" is no JSON Pointer: after '~' must come 0 (for '~') or 1 (for '/')"#),
  ])
  func what_is_no_pointer_is_refused(_ text: String, _ message: String) {
    let error = #expect(throws: JSONError.self) { try JSONPointer(text) }
    #expect(error?.description == message)
  }

  @Test(arguments: [
    ("/foo/2", "nothing at /foo/2: /foo has 2 elements"),
    ("/foo/-", #"nothing at /foo/-: /foo is an array, and "-" is no index of one"#),
    ("/foo/01", #"nothing at /foo/01: /foo is an array, and "01" is no index of one"#),
    ("/foo/+1", #"nothing at /foo/+1: /foo is an array, and "+1" is no index of one"#),
    (
      "/foo/99999999999999999999",
      #"nothing at /foo/99999999999999999999: /foo is an array, and "99999999999999999999" is no index of one"#
    ),
    ("/bar", #"nothing at /bar: the root has no member "bar""#),
    ("/foo/0/x", "nothing at /foo/0/x: /foo/0 is a string"),
  ])
  func a_pointer_that_leads_nowhere_says_how_far_it_led(_ text: String, _ message: String) throws {
    let document = try JSONValue(parsing: Self.document)
    let pointer = try JSONPointer(text)
    let error = #expect(throws: JSONError.self) { try document.value(at: pointer) }
    #expect(error?.description == message)
    #expect(document[pointer] == nil)
  }
}
