import JSONTree
import Testing

@Suite struct JSONPredicateTests {
  private func document() throws -> JSONValue {
    try JSONValue(
      parsing: #"""
        {"length":50000,"text":"Hello \"world\"\nécole","isLoading":true,"done":false,"none":null,
         "big":9007199254740993,"small":0.1,"items":[{"id":1,"title":"shoes"},{"id":2}],
         "tags":["a","b"],"a b":{"c/d":1,"m~n":2},"other":50000.0,"":"empty","at":"2026-11-30"}
        """#)
  }

  @Test(arguments: [
    "/length >= 50000", "/length>=50000", "/length == 5e4", "/length != 50001", "/length < 50001",
    "/length <= 50000", "/length > -1", "50001 > /length", "/length == /other",
    "/big > 9007199254740992", "/big == 9007199254740993", "/small < 0.10000000000000000001",
    #"/text contains "world""#, #"/text contains "\"w""#, #"/text contains "école""#,
    #"/text matches "^Hello""#, #"/text matches "w.r""#, #"/text matches "(?i)hELLO""#,
    #"/at < "2026-12-01""#, #"/at >= "2026-11-30""#,
    "/items contains {\"id\":2}", "/tags contains \"a\"", "/items/0 contains \"title\"",
    #"/tags == ["a", "b"]"#, #"/items/1 == {"id": 2.0}"#, "/items/0/title exists",
    "exists /none", "/none == null", "/isLoading", "not /done", "!/done",
    "/isLoading and not /done",
    "/done or /isLoading", "/done || /isLoading && /isLoading", "not (/done or /nothing)",
    "#/a%20b/c~1d == 1", "/ == \"empty\"",
    ". contains \"length\"", "true == /isLoading", "not not /isLoading",
    // What is missing equals null, since Swift leaves out what is nil, and is nothing else.
    "/nothing == null", "/nothing != 5", "not /nothing exists", "not /nothing != null",
    "not /nothing < 5", "not /nothing >= 5", "not /items/9 exists", "not /nothing contains \"a\"",
  ])
  func holds(_ text: String) throws {
    #expect(try JSONPredicate(text).holds(for: document()))
  }

  @Test(arguments: [
    "/length > 50000", "/length == \"50000\"", "/length < \"a\"", "/text < 5",
    "/none exists and /done",
    #"/text contains "World""#, #"/text matches "^world""#, "/length matches \"5\"",
    "/tags contains \"c\"", "/isLoading == 1", "/done", "/text", "/none", "/nothing",
    "/big == 9007199254740992", "/tags contains null", "/none != null", "/items/0 contains \"x\"",
    "not /isLoading", "/isLoading and /done", "/nothing < /nothing",
    "/text matches \"e\\u0301cole\"",
  ])
  func does_not_hold(_ text: String) throws {
    #expect(try !JSONPredicate(text).holds(for: document()))
  }

  @Test(arguments: [
    (
      "",
      "at column 1: expected a pointer such as /items/0, a JSON value, not, or '(', found the end"
    ),
    (
      "/length >=",
      "at column 11: expected a JSON value or a pointer behind >= "
        + "(a string stands in \"quotation marks\"), found the end"
    ),
    (
      "/length = 5",
      "at column 9: expected ==, !=, <, <=, >, >=, contains, matches, exists, and, or, or the end, "
        + "found ="
    ),
    (
      "/title == shoes",
      "at column 11: expected a JSON value or a pointer behind == "
        + "(a string stands in \"quotation marks\"), found shoes"
    ),
    ("/a == 5 6", "at column 9: expected and, or, or the end, found 6"),
    ("(/a == 5", "at column 9: expected and, or, or ')', found the end"),
    ("/a == 5)", "at column 8: expected and, or, or the end, found )"),
    (
      "/é/~2 == 1",
      #"at column 1: "/é/~2" is no JSON Pointer: after '~' must come 0 (for '~') or 1 (for '/')"#
    ),
    (
      "#/a%2 == 1",
      ##"at column 1: "#/a%2" is no JSON Pointer: after '%' must come two hexadecimal digits"##
    ),
    ("/a == \"é\" and /b == [1,}", "at column 24: expected a value, found '}'"),
    (
      "/a == \"open",
      "at column 12: expected '\"' at the end of the string, found the end of the text"
    ),
    ("/a == 01", "at column 8: expected no digit after a leading 0, found '1'"),
    (
      "/a matches 5",
      "at column 12: expected a regular expression in \"quotation marks\" behind matches, found 5"
    ),
    (
      "/a matches \"(b\"",
      #"at column 12: "(b" is no regular expression: at character 3, expected ')'"#
    ),
    ("5", "at column 2: expected ==, !=, <, <=, >, >=, contains, matches, found the end"),
    ("exists 5", "at column 8: expected a pointer behind exists, found 5"),
    (
      "/a and",
      "at column 7: expected a pointer such as /items/0, a JSON value, not, or '(', found the end"
    ),
  ])
  func what_is_wrong_is_told_with_its_column_and_what_was_expected(
    _ text: String, _ message: String
  ) {
    let error = #expect(throws: JSONError.self) { try JSONPredicate(text) }
    #expect(error?.description == message)
  }

  @Test func the_places_that_it_speaks_of_are_known_each_once() throws {
    let predicate = try JSONPredicate("/b == 1 and (/a/0 exists or /b < 5) or not /c")
    #expect(predicate.pointers.map(\.description) == ["/b", "/a/0", "/c"])
  }

  @Test func no_more_is_asked_than_needs_to_be_known() throws {
    var asked: [String] = []
    let predicate = try JSONPredicate("/a == 1 and /b == 2 or /c == 3")
    let holds = try predicate.holds { pointer in
      asked.append(pointer.description)
      return pointer.description == "/b" ? 2 : 3
    }
    #expect(holds)
    #expect(asked == ["/a", "/c"])
  }

  @Test func hostile_predicates_are_refused() throws {
    let deep =
      String(repeating: "(", count: 100_000) + "/a" + String(repeating: ")", count: 100_000)
    #expect(throws: JSONError.self) { try JSONPredicate(deep) }
    #expect(throws: JSONError.self) {
      try JSONPredicate(String(repeating: "not ", count: 9999) + "/a")
    }
    let pattern = String(repeating: "a", count: 1001)
    let error = #expect(throws: JSONError.self) { try JSONPredicate("/a matches \"\(pattern)\"") }
    #expect(error?.description.hasSuffix("it has more than 1000 characters") == true)
    let long = JSONValue.string(String(repeating: "a", count: JSONPredicate.maximumSubject + 1))
    #expect(throws: JSONError.self) { try JSONPredicate(". matches \"a\"").holds(for: long) }
  }
}
