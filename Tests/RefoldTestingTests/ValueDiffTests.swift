import JSONTree
import Testing

@testable import RefoldTesting

@Suite("How two values differ")
struct ValueDiffTests {
  @Test func an_item_that_only_moved_is_told_with_both_places() {
    let old: JSONValue = ["items": [["id": 1, "n": 1], ["id": 2, "n": 2], ["id": 3, "n": 3]]]
    let new: JSONValue = ["items": [["id": 3, "n": 4], ["id": 1, "n": 1], ["id": 2, "n": 2]]]
    #expect(
      ValueDiff(from: old, to: new).text == """
          /items/2 -> /items/0

          /items/0/n
          - 3
          + 4
        """)
  }
}
