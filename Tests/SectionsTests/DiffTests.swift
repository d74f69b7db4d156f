import Sections
import Testing

@Suite("The diff of sections")
struct DiffTests {
  /// The changesets from `old` to `new`, which were seen to lead there.
  private func changes(_ old: Sections, _ new: Sections) throws -> [Changes] {
    let changes = try Changes.diff(from: old, to: new)
    var sections = old
    for changeset in changes {
      sections = try changeset.applied(to: sections)
      #expect(sections == changeset.finalSections)
    }
    #expect(sections == new)
    return changes
  }

  private func itemMoves(_ old: [Int], _ new: [Int]) throws -> [ItemMove] {
    let changes = try changes([section("a", old)], [section("a", new)])
    #expect(changes.count == 1)
    return changes.first?.movedItems ?? []
  }

  @Test func of_equal_lists_is_nothing() throws {
    #expect(try changes([], []).isEmpty)
    let list = [section("a", [1, 2]), section("b", [])]
    #expect(try changes(list, list).isEmpty)
  }

  @Test func two_that_overtake_the_first_are_two_moves() throws {
    let moves = try itemMoves([0, 1, 2], [1, 2, 0])
    #expect(
      moves == [
        ItemMove(from: path(0, 1), to: path(0, 0)), ItemMove(from: path(0, 2), to: path(0, 1)),
      ])
  }

  @Test func one_that_overtakes_two_is_one_move() throws {
    #expect(
      try itemMoves([0, 1, 2], [2, 0, 1]) == [ItemMove(from: path(0, 2), to: path(0, 0))])
  }

  @Test func reversing_four_is_three_moves() throws {
    #expect(try itemMoves([0, 1, 2, 3], [3, 2, 1, 0]).count == 3)
  }

  @Test func the_same_rule_holds_for_sections() throws {
    for (order, count) in [([1, 2, 0], 2), ([2, 0, 1], 1)] {
      let old = (0..<3).map { section("\($0)", [$0]) }
      let changes = try changes(old, order.map { old[$0] })
      #expect(changes.map(\.movedSections.count) == [count])
      #expect(changes.allSatisfy { $0.movedItems.isEmpty })
    }
  }

  @Test func an_item_that_leaves_its_section_does_not_push_the_others() throws {
    let changes = try changes(
      [section("a", [1, 2, 3]), section("b", [])], [section("a", [2, 3]), section("b", [1])])
    #expect(changes.map(\.movedItems) == [[ItemMove(from: path(0, 0), to: path(1, 0))]])
  }

  @Test func deletes_and_updates_come_first_in_original_indexes() throws {
    var new = [section("b", [4, 6]), section("c", [8])]
    new[0].items[1].content = 1
    let changes = try changes(
      [section("a", [1]), section("b", [4, 5, 6, 7]), section("c", [8])], new)
    #expect(changes.count == 1)
    #expect(changes[0].deletedSections == [0])
    #expect(changes[0].deletedItems == [path(1, 1), path(1, 3)])
    #expect(changes[0].updatedItems.map(\.path) == [path(1, 2)])
    #expect(changes[0].updatedItems.map(\.item) == [Thing(id: 6, content: 1)])
  }

  @Test func the_three_steps_come_in_their_order() throws {
    let changes = try changes(
      [section("a", [1, 2]), section("b", [3])],
      [section("c", [9]), section("b", [3]), section("a", [2, 4])])
    #expect(changes.count == 3)
    #expect(changes[0].deletedItems == [path(0, 0)])
    #expect(changes[1].insertedSections.map(\.index) == [0])
    #expect(changes[1].movedSections == [SectionMove(from: 1, to: 1)])
    #expect(changes[2].insertedItems.map(\.path) == [path(2, 1)])
    #expect(changes[1].finalSections.map(\.id) == ["c", "b", "a"])
  }

  @Test func update_and_move_are_two_changesets_the_update_first() throws {
    var new = [section("a", [2, 1])]
    new[0].items[0].content = 7
    let changes = try changes([section("a", [1, 2])], new)
    #expect(changes.count == 2)
    #expect(changes[0].updatedItems.map(\.path) == [path(0, 1)])
    #expect(changes[0].movedItems.isEmpty)
    #expect(changes[1].movedItems == [ItemMove(from: path(0, 1), to: path(0, 0))])
    #expect(changes[1].updatedItems.isEmpty)
  }

  @Test func sections_match_by_identity_alone() throws {
    let changes = try changes([section("a", [1])], [section("a", [2])])
    #expect(changes.allSatisfy { $0.deletedSections.isEmpty && $0.insertedSections.isEmpty })
    #expect(changes.map(\.deletedItems.count) == [1, 0])
  }

  @Test func deleted_and_inserted_sections_absorb_their_items() throws {
    let changes = try changes([section("a", [1, 2])], [section("b", [3, 4])])
    #expect(changes.count == 2)
    #expect(changes[0].deletedSections == [0])
    #expect(changes[0].deletedItems.isEmpty)
    #expect(changes[1].insertedSections.map(\.section) == [section("b", [3, 4])])
    #expect(changes[1].insertedItems.isEmpty)
  }

  @Test func an_item_that_moves_into_a_new_section_is_deleted_and_comes_with_it() throws {
    let changes = try changes(
      [section("a", [1, 2])], [section("a", [1]), section("b", [2])])
    #expect(changes.map(\.deletedItems) == [[path(0, 1)], []])
    #expect(changes[1].insertedSections.map(\.section) == [section("b", [2])])
    #expect(changes.allSatisfy { $0.movedItems.isEmpty && $0.insertedItems.isEmpty })
  }

  @Test func an_item_that_leaves_a_deleted_section_goes_with_it_and_is_inserted() throws {
    var new = [section("b", [2, 3])]
    new[0].items[0].content = 1
    let changes = try changes([section("a", [1, 2]), section("b", [3])], new)
    #expect(changes.count == 2)
    #expect(changes[0].deletedSections == [0])
    #expect(changes[0].updatedItems.isEmpty)
    #expect(changes[1].insertedItems.map(\.path) == [path(0, 0)])
    #expect(changes[1].insertedItems.map(\.item) == [Thing(id: 2, content: 1)])
    #expect(changes.allSatisfy { $0.movedItems.isEmpty })
  }

  @Test func between_sections_that_stay_an_item_is_moved() throws {
    let changes = try changes(
      [section("a", [1, 2]), section("b", [3])], [section("b", [3, 2]), section("a", [1])])
    #expect(changes.count == 2)
    #expect(changes[0].movedSections == [SectionMove(from: 1, to: 0)])
    #expect(changes[1].movedItems == [ItemMove(from: path(1, 1), to: path(0, 1))])
  }
}

@Suite("What sections must not be")
struct RefusedSectionsTests {
  private let fine = [section("a", [1, 2]), section("b", [3])]

  private func message(_ old: Sections, _ new: Sections) -> String {
    let error = #expect(throws: SectionsError.self) { try Changes.diff(from: old, to: new) }
    return error.map { "\($0)" } ?? ""
  }

  @Test func an_item_twice_is_named_with_its_list_and_places() {
    let twice = [section("a", [1, 2]), section("b", [3, 2])]
    let rest =
      "list has two items 2: at [0][1] and [1][1]. "
      + "Give each item an id of its own, across all sections."
    #expect(message(twice, fine) == "the old \(rest)")
    #expect(message(fine, twice) == "the new \(rest)")
  }

  @Test func an_item_twice_in_what_is_deleted_or_inserted_is_refused_too() {
    #expect(message([section("z", [5, 5])], fine).hasPrefix("the old list has two items 5"))
    #expect(message(fine, [section("z", [5, 5])]).hasPrefix("the new list has two items 5"))
  }

  @Test func a_section_twice_is_named_with_its_list_and_places() {
    let twice = fine + [section("a", [])]
    let rest = "list has two sections a: at 0 and 2. Give each section an id of its own."
    #expect(message(twice, fine) == "the old \(rest)")
    #expect(message(fine, twice) == "the new \(rest)")
  }

  @Test func sections_of_another_diff_are_refused_instead_of_trapping() throws {
    let changes = try Changes.diff(
      from: [section("a", [1, 2, 3]), section("b", [4])],
      to: [section("c", []), section("a", [9, 3, 2])])
    #expect(changes.count == 3)
    for changeset in [changes[0], changes[2]] {
      #expect(throws: SectionsError.self) { try changeset.applied(to: []) }
    }
    let error = #expect(throws: SectionsError.self) {
      try changes[0].applied(to: [section("a", [])])
    }
    #expect(error == .foreignChangeset(what: "item at [0][0]"))
  }
}
