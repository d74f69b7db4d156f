extension Changeset {
  /// What leads from `old` to `new`: up to three changesets, to be applied one after the other.
  ///
  /// 1. Deletes and updates, in the indexes of `old`.
  /// 2. Sections inserted and moved.
  /// 3. Items inserted and moved.
  ///
  /// One that would be empty is left out, so equal lists give none. The sections of the last one are
  /// `new`.
  ///
  /// Sections are matched by their ids alone, items by theirs across all sections; an item that was
  /// matched and is not equal is updated. A section that is deleted or inserted absorbs its items:
  /// they are in no list of their own. So an item that moves into a new section is deleted, and
  /// comes with the section; one that leaves a section which is deleted goes with that and is
  /// inserted; between two sections that stay it is moved. An item that is updated and moved is in
  /// two changesets, the update first.
  ///
  /// Which of those that stay count as moved: the new order is walked from its beginning, with an eye
  /// on the first of the old order that was not met yet. The one that is met stays where it is if it
  /// is that one, and is moved if it is another. So `[0, 1, 2]` to `[1, 2, 0]` is two moves, to
  /// `[2, 0, 1]` one, and reversing four is three. That is not always the fewest moves; it needs no
  /// search, and moves what overtook something, as people see it. For the items of a section, those
  /// of the old order that leave it do not count.
  ///
  /// - Throws: `SectionsError.duplicateSection`, `.duplicateItem`.
  /// - Complexity: O(n) on average for n sections and items of both lists.
  public static func diff(
    from old: [SectionModel<ID, Item>], to new: [SectionModel<ID, Item>]
  ) throws -> [Changeset] {
    let differences = Differences(old, new, try Matching(old, new))
    let kept = differences.deletesAndUpdates()
    let arranged = differences.sectionChanges(after: kept.finalSections)
    let items = differences.itemChanges()
    return [kept, arranged, items].filter { !$0.isEmpty }
  }
}

/// Two lists, matched, on the way to changesets.
private struct Differences<ID, Item>
where ID: Hashable & Sendable, Item: Identifiable & Equatable & Sendable, Item.ID: Sendable {
  typealias Sections = [SectionModel<ID, Item>]

  let old: Sections
  let new: Sections
  let matching: Matching<ID, Item>
  /// For each old item that stays, its place in its section once the others are deleted.
  private let placeAfterDeletes: [Int]
  /// For each old section that stays, its index once the others are deleted.
  private let indexAfterDeletes: [Int]

  init(_ old: Sections, _ new: Sections, _ matching: Matching<ID, Item>) {
    self.old = old
    self.new = new
    self.matching = matching
    indexAfterDeletes = Self.ranks(matching.newSection[...])
    placeAfterDeletes = old.indices.flatMap { index in
      let start = matching.oldStarts[index]
      return Self.ranks(matching.newPath[start..<start + old[index].items.count])
    }
  }

  /// For each element how many before it are not nil.
  private static func ranks<T>(_ elements: ArraySlice<T?>) -> [Int] {
    var rank = 0
    return elements.map { element in
      defer { if element != nil { rank += 1 } }
      return rank
    }
  }

  func deletesAndUpdates() -> Changeset<ID, Item> {
    var changes = Changeset<ID, Item>(to: [])
    for (index, section) in old.enumerated() {
      guard matching.newSection[index] != nil else {
        changes.deletedSections.append(index)
        continue
      }
      changes.finalSections.append(
        SectionModel(id: section.id, items: keptItems(of: section, index, &changes)))
    }
    return changes
  }

  private func keptItems(
    of section: SectionModel<ID, Item>, _ index: Int, _ changes: inout Changeset<ID, Item>
  ) -> [Item] {
    var kept: [Item] = []
    kept.reserveCapacity(section.items.count)
    let start = matching.oldStarts[index]
    for (place, item) in section.items.enumerated() {
      let path = ItemPath(section: index, item: place)
      guard let target = matching.newPath[start + place] else {
        changes.deletedItems.append(path)
        continue
      }
      let latest = new[target.section].items[target.item]
      if latest != item { changes.updatedItems.append(.init(path: path, item: latest)) }
      kept.append(latest)
    }
    return kept
  }

  func sectionChanges(after kept: Sections) -> Changeset<ID, Item> {
    var changes = Changeset<ID, Item>(to: [])
    changes.finalSections.reserveCapacity(new.count)
    var order = OldOrder(count: kept.count)
    for (index, section) in new.enumerated() {
      guard let source = matching.oldSection[index] else {
        changes.insertedSections.append(.init(index: index, section: section))
        changes.finalSections.append(section)
        continue
      }
      let from = indexAfterDeletes[source]
      if order.meet(from) == .overtook {
        changes.movedSections.append(SectionMove(from: from, to: index))
      }
      changes.finalSections.append(kept[from])
    }
    return changes
  }

  /// The first two steps have brought every section that stays to its new index.
  func itemChanges() -> Changeset<ID, Item> {
    var changes = Changeset<ID, Item>(to: new)
    for index in new.indices {
      if let source = matching.oldSection[index] {
        addItemChanges(of: index, from: source, to: &changes)
      }
    }
    return changes
  }

  private func addItemChanges(
    of index: Int, from oldIndex: Int, to changes: inout Changeset<ID, Item>
  ) {
    var order = staying(in: index, from: oldIndex)
    let start = matching.newStarts[index]
    for (place, item) in new[index].items.enumerated() {
      let path = ItemPath(section: index, item: place)
      guard let source = matching.oldPath[start + place],
        let section = matching.newSection[source.section]
      else {
        changes.insertedItems.append(.init(path: path, item: item))
        continue
      }
      if source.section == oldIndex, order.meet(source.item) == .stays { continue }
      let from = placeAfterDeletes[matching.oldStarts[source.section] + source.item]
      changes.movedItems.append(
        ItemMove(from: ItemPath(section: section, item: from), to: path))
    }
  }

  /// The items of an old section, those that do not stay in it as if they had been met.
  private func staying(in index: Int, from oldIndex: Int) -> OldOrder {
    var order = OldOrder(count: old[oldIndex].items.count)
    let start = matching.oldStarts[oldIndex]
    for place in old[oldIndex].items.indices
    where matching.newPath[start + place]?.section != index {
      order.leaveOut(place)
    }
    return order
  }
}

/// The old order, while the new one is walked: which were met, and the first that was not.
private struct OldOrder {
  enum Place {
    case stays
    case overtook
  }

  private var isMet: [Bool]
  private var first = 0

  init(count: Int) { isMet = Array(repeating: false, count: count) }

  mutating func leaveOut(_ index: Int) { isMet[index] = true }

  /// Meets `index`: it stays if it is the first that was not met.
  /// - Complexity: O(1) amortized.
  mutating func meet(_ index: Int) -> Place {
    while first < isMet.count, isMet[first] { first += 1 }
    isMet[index] = true
    return index == first ? .stays : .overtook
  }
}
