import EventStoreTesting
import Sections

/// Random lists of sections, each made of the one before by what happens to lists: items and sections
/// come, go, change and change places, a few of them or nearly all.
struct RandomLists {
  private var random: SeededGenerator
  private var nextItem = 0
  private var nextSection = 0
  /// About how many there are at any time.
  private let wantedSections: Int
  private let wantedItems: Int
  private(set) var sections: Sections = []

  /// Lists of about `sections` sections with about `items` items each; at least one of each.
  init(seed: UInt64, sections: Int, items: Int) {
    random = SeededGenerator(seed: seed)
    (wantedSections, wantedItems) = (max(1, sections), max(1, items))
    for _ in 0..<sections { self.sections.append(newSection(of: items)) }
  }

  /// Ids of items are below this.
  var endOfItems: Int { nextItem + 1 }

  /// The next list: different from the one before, but for every thirtieth or so, which is equal.
  mutating func next() -> Sections {
    if random.chance(0.03) { return sections }
    let old = sections
    let unrest = random.pick([0.0005, 0.01, 0.1, 0.5])
    let items = unrest * Double(wantedSections * wantedItems)
    for _ in 0..<Int(items) { changeItem() }
    for _ in 0..<Int(unrest * Double(wantedSections) / 4) { changeSection() }
    // Small lists have their share of everything too, and a change may undo the one before.
    repeat {
      if random.chance(0.5) { changeSection() } else { changeItem() }
    } while sections == old
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

  private mutating func changeItem() {
    guard !sections.isEmpty else { return changeSection() }
    let section = random.below(sections.count)
    let count = sections[section].items.count
    switch random.below(5) {
    case 0 where count < 2 * wantedItems:
      sections[section].items.insert(newItem(), at: random.below(count + 1))
    case 1 where count > wantedItems / 2: sections[section].items.remove(at: random.below(count))
    case 2 where count > 0: sections[section].items[random.below(count)].content += 1
    case 3 where count > 0: moveItem(from: section, to: section)
    case 4 where count > 0: moveItem(from: section, to: random.below(sections.count))
    default: break
    }
  }

  /// What moves changes now and then as well.
  private mutating func moveItem(from: Int, to: Int) {
    var item = sections[from].items.remove(at: random.below(sections[from].items.count))
    if random.chance(0.3) { item.content += 1 }
    sections[to].items.insert(item, at: random.below(sections[to].items.count + 1))
  }

  private mutating func changeSection() {
    let count = sections.count
    switch random.below(4) {
    case 0 where count < 2 * wantedSections:
      sections.insert(newSection(of: random.below(wantedItems + 1)), at: random.below(count + 1))
    case 1 where count > wantedSections / 2: sections.remove(at: random.below(count))
    case 2 where count > 0:
      let section = sections.remove(at: random.below(count))
      sections.insert(section, at: random.below(count))
    case 3 where count > 0: replaceSection(random.below(count))
    default: break
    }
  }

  /// Some of the new sections take over what was in the old one.
  private mutating func replaceSection(_ index: Int) {
    let items = sections[index].items
    sections[index] = newSection(of: items.count)
    if random.chance(0.5) { sections[index].items = items }
  }
}
