import JSONTree
import Testing

@testable import RefoldTools

@Suite("Patches for people")
struct PatchTextTests {
  private func lines(_ old: JSONValue, _ new: JSONValue) -> [String] {
    let text = PatchText(Console()).lines(JSONPatch(from: old, to: new), from: old)
    return text.split(separator: "\n").map(String.init)
  }

  private func list(_ ids: [Int]) -> JSONValue {
    ["items": .array(ids.map { ["id": .number(JSONNumber($0))] })]
  }

  @Test func a_move_is_a_line_with_both_places() {
    #expect(lines(list([1, 2, 3, 4]), list([4, 1, 2, 3])) == ["> /items/3 -> /items/0"])
  }

  @Test func values_are_those_of_the_step_that_they_stand_in() {
    let old: JSONValue = [["id": 1, "n": 1], ["id": 2, "n": 2], ["id": 3, "n": 3]]
    let new: JSONValue = [["id": 3, "n": 4], ["id": 2, "n": 2]]
    #expect(
      lines(old, new) == [#"- /0: {"id":1,"n":1}"#, "> /1 -> /0", "~ /0/n: 3 -> 4"])
  }

  @Test func a_list_that_was_emptied_is_a_line() {
    #expect(lines(list([1, 2]), list([])) == [#"~ /items: [{"id":1},{"id":2}] -> []"#])
  }

  @Test func a_long_list_that_changed_in_one_place_is_a_line() {
    let ids = Array(0..<2000)
    var changed = ids
    changed.removeFirst()
    #expect(lines(list(ids), list(changed)) == [#"- /items/0: {"id":0}"#])
  }
}
