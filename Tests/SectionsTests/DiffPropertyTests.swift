import EventStoreTesting
import Sections
import Testing

/// Random lists of sections, each made of the one before by what happens to lists: items and sections
/// come, go, change and change places, a few of them or nearly all.
private struct RandomLists {
  private var random: SeededGenerator
  private var nextItem = 0
  private var nextSection = 0
  private(set) var sections: Sections = []

  init(seed: UInt64, sections: Int, items: Int) {
    random = SeededGenerator(seed: seed)
    for _ in 0..<sections { self.sections.append(newSection(of: items)) }
  }

  mutating func next() -> Sections {
    let unrest = random.pick([0, 0.01, 0.1, 0.5])
    for index in sections.indices { change(index, unrest) }
    moveBetweenSections(unrest)
    for index in sections.indices where random.chance(unrest / 4) {
      // Some of the new sections take over what was in the old one.
      let items = sections[index].items
      sections[index] = newSection(of: items.count)
      if random.chance(0.5) { sections[index].items = items }
    }
    for _ in 0..<Int(unrest * 20) { moveSection() }
    return sections
  }

  private mutating func newSection(of count: Int) -> SectionModel<String, Thing> {
    nextSection += 1
    return section("s\(nextSection)", (0..<count).map { _ in newItem().id })
  }

  private mutating func newItem() -> Thing {
    nextItem += 1
    return Thing(id: nextItem)
  }

  private mutating func change(_ index: Int, _ unrest: Double) {
    let count = sections[index].items.count
    for _ in 0..<Int(unrest * Double(count)) where !sections[index].items.isEmpty {
      let place = random.below(sections[index].items.count)
      switch random.below(4) {
      case 0: sections[index].items[place] = newItem()
      case 1: sections[index].items[place].content += 1
      case 2: sections[index].items.swapAt(place, random.below(sections[index].items.count))
      default:
        sections[index].items.insert(newItem(), at: place)
        sections[index].items.remove(at: random.below(sections[index].items.count))
      }
    }
  }

  private mutating func moveBetweenSections(_ unrest: Double) {
    for _ in 0..<Int(unrest * Double(sections.count)) {
      let (from, to) = (random.below(sections.count), random.below(sections.count))
      guard !sections[from].items.isEmpty else { continue }
      var item = sections[from].items.remove(at: random.below(sections[from].items.count))
      if random.chance(0.3) { item.content += 1 }
      let place = random.below(sections[to].items.count + 1)
      sections[to].items.insert(item, at: place)
    }
  }

  private mutating func moveSection() {
    let section = sections.remove(at: random.below(sections.count))
    sections.insert(section, at: random.below(sections.count + 1))
  }
}

@Suite("Any two lists of sections", .timeLimit(.minutes(5)))
struct DiffPropertyTests {
  /// Rounds of every chain of lists: each list is the new one of a round and the old one of the next.
  private static let roundsPerSeed = 50

  /// 20 chains of 50: 1,000 rounds of 100 sections by 100 items.
  @Test(arguments: UInt64(1)...20)
  func the_changes_applied_to_the_old_give_the_new(_ seed: UInt64) throws {
    var lists = RandomLists(seed: seed, sections: 100, items: 100)
    try run(&lists, seed)
  }

  /// Where lists are small, what is rare in large ones happens all the time.
  @Test(arguments: UInt64(101)...140)
  func also_where_they_are_small(_ seed: UInt64) throws {
    var lists = RandomLists(seed: seed, sections: 1 + Int(seed % 5), items: Int(seed % 7))
    try run(&lists, seed)
  }

  private func run(_ lists: inout RandomLists, _ seed: UInt64) throws {
    var old = lists.sections
    for round in 1...Self.roundsPerSeed {
      let new = lists.next()
      do {
        if let flaw = try Self.flaw(old, new) {
          Issue.record("seed \(seed), round \(round): \(flaw)")
          return
        }
      } catch {
        Issue.record("seed \(seed), round \(round): \(error)")
        return
      }
      old = new
    }
  }

  /// What is wrong with the diff from `old` to `new`, if anything is.
  private static func flaw(_ old: Sections, _ new: Sections) throws -> String? {
    let changes = try Changes.diff(from: old, to: new)
    if old == new, !changes.isEmpty { return "equal lists have changes" }
    var sections = old
    for (index, changeset) in changes.enumerated() {
      if changeset.isEmpty { return "changeset \(index) is empty" }
      sections = try changeset.applied(to: sections)
      if sections != changeset.finalSections {
        return "changeset \(index) applied is not its final sections"
      }
      if index > 0, hasDeletesOrUpdates(changeset) {
        return "changeset \(index) deletes or updates, not in original indexes"
      }
    }
    if sections != new { return "the changes do not lead to the new list" }
    return try changes.first.flatMap { try misplaced($0, old, new) }
  }

  private static func hasDeletesOrUpdates(_ changeset: Changes) -> Bool {
    !changeset.deletedSections.isEmpty || !changeset.deletedItems.isEmpty
      || !changeset.updatedItems.isEmpty
  }

  /// A delete or update that is not about the item which the old list has there.
  private static func misplaced(
    _ changeset: Changes, _ old: Sections, _ new: Sections
  ) throws -> String? {
    let staying = Set(new.map(\.id))
    for index in changeset.deletedSections where staying.contains(old[index].id) {
      return "section \(index) is deleted and in the new list"
    }
    for update in changeset.updatedItems {
      let before = old[update.path.section].items[update.path.item]
      if before.id != update.item.id || before == update.item {
        return "the update at \(update.path) is none"
      }
    }
    return nil
  }
}
