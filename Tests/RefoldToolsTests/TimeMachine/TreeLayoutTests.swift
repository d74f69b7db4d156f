import JSONTree
import Testing

@testable import RefoldTools

@Suite("The tree")
struct TreeLayoutTests {
  private func document(_ text: String) throws -> JSONDocument {
    try JSONDocument(Array(text.utf8))
  }

  private func texts(_ layout: TreeLayout, _ document: JSONDocument) -> [String] {
    let text = TreeText(document: document, changes: nil)
    return layout.lines.map { text.pieces($0, width: 60).map(\.text).joined() }
  }

  @Test func small_things_are_open_and_what_lies_deep_is_not() throws {
    let document = try document(#"{"a":1,"b":{"c":[true,null],"d":{"e":{"f":{"g":2}}}},"z":{}}"#)
    #expect(
      texts(TreeLayout(document, TreeFolding()), document) == [
        "  ▾ {3}", "      a: 1", "    ▾ b: ", "      ▾ c: [2]", "          0: true",
        "          1: null", "      ▾ d: ", "        ▸ e: {1}", "      z: {}",
      ])
  }

  @Test func a_long_array_shows_ranges_and_a_very_long_one_ranges_of_ranges() throws {
    let elements = (0..<250).map(String.init).joined(separator: ",")
    let short = try document("[\(elements)]")
    #expect(
      texts(TreeLayout(short, TreeFolding()), short) == [
        "  ▾ [250]", "    ▸ [0…99]", "    ▸ [100…199]", "    ▸ [200…249]",
      ])

    let long = try document("[" + String(repeating: "0,", count: 44_000) + "0]")
    var folding = TreeFolding()
    #expect(texts(TreeLayout(long, folding), long).prefix(2) == ["  ▾ [44,001]", "    ▸ [0…9999]"])
    folding.set("#0-10000", open: true)
    folding.set("#100-200", open: true)
    let lines = TreeLayout(long, folding).lines
    #expect(lines.count == 1 + 5 + 100 + 100)
    #expect(lines.contains { $0.pointer == "/150" })
  }

  @Test func an_object_with_many_members_shows_ranges_too() throws {
    let members = (0..<150).map { "\"k\($0)\":0" }.joined(separator: ",")
    let document = try document("{\(members)}")
    #expect(TreeLayout(document, TreeFolding()).lines.map(\.id) == ["", "#0-100", "#100-150"])
  }

  @Test func the_way_to_a_node_opens_exactly_what_hides_it() throws {
    let rows = (0..<12_345).map { "{\"id\":\($0)}" }.joined(separator: ",")
    let document = try document("{\"a/b\":{\"rows\":[\(rows)]}}")
    let target = try #require(
      document.nodes.indices.first { document.begin(of: $0, limit: 9) == "9876" })
    let way = TreeLayout.way(to: target, in: document)
    #expect(way.pointer == "/a~1b/rows/9876/id")
    var folding = TreeFolding()
    folding.setAll(.closed)
    for id in way.open { folding.set(id, open: true) }
    #expect(TreeLayout(document, folding).lines.contains { $0.pointer == way.pointer })
  }

  @Test func a_state_of_44_000_nodes_is_a_few_lines_until_it_is_opened() throws {
    let users = (0..<11_000).map {
      "{\"id\":\($0),\"name\":\"user \($0) of many, in a long text\"}"
    }
    let document = try document("{\"users\":[\(users.joined(separator: ","))]}")
    #expect(document.nodes.count > 44_000)
    #expect(TreeLayout(document, TreeFolding()).lines.count < 10)
    var open = TreeFolding()
    open.setAll(.large)
    #expect(TreeLayout(document, open).lines.count < 10)
  }

  @Test func changed_places_are_marked_and_what_is_around_them() throws {
    let changes = ChangeList(
      from: 1, ["a": ["b": 1, "c": 2]], to: 2, ["a": ["b": 1, "c": 3]])
    #expect(changes.count == 1)
    #expect(changes.lines.map(\.text) == ["~ /a/c: 2 -> 3"])
    #expect(changes.places.change(at: "/a/c", isRange: false) == .here)
    #expect(changes.places.change(at: "/a", isRange: false) == .inside)
    #expect(changes.places.change(at: "/a/b", isRange: false) == .none)
  }

  @Test func of_very_many_changes_some_are_listed_and_all_counted() {
    let object = { (value: JSONValue) in
      JSONValue.object(JSONObject((0..<2000).map { .init(key: "k\($0)", value: value) }))
    }
    let changes = ChangeList(from: 1, object(1), to: 2, object(2))
    #expect(changes.count == 2000)
    #expect(changes.lines.count == ChangeList.limit)
  }

  @Test func of_long_texts_that_differ_somewhere_that_is_shown() {
    let (head, tail) = (String(repeating: "語", count: 50_000), String(repeating: "z", count: 5000))
    let changes = ChangeList(
      from: 1, ["text": .string(head + "old" + tail)], to: 2,
      ["text": .string(head + "new" + tail)])
    #expect(changes.lines.map(\.text).first == "~ /text:")
    #expect(changes.lines.last?.text.contains("語new") == true)
    #expect(changes.lines.allSatisfy { !$0.text.contains("\u{FFFD}") && $0.text.count < 200 })
    let short = ChangeList(
      from: 1, ["text": .string(head)], to: 2, ["text": .string(head + "!")])
    #expect(short.lines.last?.text.contains("語!\"") == true)
  }
}
