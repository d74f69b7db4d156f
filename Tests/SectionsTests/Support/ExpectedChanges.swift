import Sections

/// The kinds of change that a diff can have.
enum ChangeKind: CaseIterable {
  case sectionDelete, sectionInsert, sectionMove
  case itemDelete, itemInsert, itemUpdate, itemMoveWithin, itemMoveBetween
}

/// What has to change between two lists, found by looking up each item on its own, with nothing of
/// the diff's own code: the least that leads from one to the other. Plain loops over indexes, since
/// tests run unoptimized.
///
/// Which of several items in one section moves is the diff's choice: so of moves within a section,
/// and of those of sections, only what may move is told.
struct ExpectedChanges {
  private(set) var deletedSections: [Int] = []
  private(set) var insertedSections: [Int] = []
  private(set) var deletedItems: [ItemPath] = []
  private(set) var insertedItems: [ItemPath] = []
  /// Where they were, and what they are now.
  private(set) var updatedItems: [(path: ItemPath, item: Thing)] = []
  /// To where, for each item that is in another section than before.
  private(set) var movesBetween: [ItemPath] = []
  /// The sections in the new list whose staying items have another order than before.
  private(set) var reordered: [Bool] = []
  /// Whether staying sections have another order than before.
  private(set) var sectionsAreReordered = false

  private let oldSection: [Int?]
  private let newSection: [Int?]

  /// - Parameter end: ids of items are below it.
  init(from old: Sections, to new: Sections, end: Int) {
    let oldIndexes = Dictionary(uniqueKeysWithValues: zip(old.map(\.id), old.indices))
    let newIndexes = Dictionary(uniqueKeysWithValues: zip(new.map(\.id), new.indices))
    oldSection = new.map { oldIndexes[$0.id] }
    newSection = old.map { newIndexes[$0.id] }
    deletedSections = old.indices.filter { newSection[$0] == nil }
    insertedSections = new.indices.filter { oldSection[$0] == nil }
    let stays = oldSection.compactMap { $0 }
    sectionsAreReordered = stays != stays.sorted()
    let oldPaths = Self.paths(of: old, where: newSection, end)
    let newPaths = Self.paths(of: new, where: oldSection, end)
    goThroughOld(old, new, newPaths)
    goThroughNew(new, oldPaths)
  }

  /// The places of all items in sections that stay, by the items' ids.
  private static func paths(of list: Sections, where stays: [Int?], _ end: Int) -> [ItemPath?] {
    var paths = [ItemPath?](repeating: nil, count: end)
    for index in list.indices where stays[index] != nil {
      let items = list[index].items
      for place in items.indices { paths[items[place].id] = ItemPath(section: index, item: place) }
    }
    return paths
  }

  private mutating func goThroughOld(_ old: Sections, _ new: Sections, _ newPaths: [ItemPath?]) {
    for index in old.indices where newSection[index] != nil {
      let items = old[index].items
      for place in items.indices {
        guard let to = newPaths[items[place].id] else {
          deletedItems.append(ItemPath(section: index, item: place))
          continue
        }
        let latest = new[to.section].items[to.item]
        if latest.content != items[place].content {
          updatedItems.append((ItemPath(section: index, item: place), latest))
        }
      }
    }
  }

  private mutating func goThroughNew(_ new: Sections, _ oldPaths: [ItemPath?]) {
    for index in new.indices {
      var isReordered = false
      var latest = -1
      let items = oldSection[index] == nil ? [] : new[index].items
      for place in items.indices {
        guard let from = oldPaths[items[place].id] else {
          insertedItems.append(ItemPath(section: index, item: place))
          continue
        }
        if from.section != oldSection[index] {
          movesBetween.append(ItemPath(section: index, item: place))
          continue
        }
        if from.item < latest { isReordered = true }
        latest = from.item
      }
      reordered.append(isReordered)
    }
  }

  /// The kinds that there is at least one of.
  var kinds: Set<ChangeKind> {
    let isThere: [ChangeKind: Bool] = [
      .sectionDelete: !deletedSections.isEmpty, .sectionInsert: !insertedSections.isEmpty,
      .sectionMove: sectionsAreReordered, .itemDelete: !deletedItems.isEmpty,
      .itemInsert: !insertedItems.isEmpty, .itemUpdate: !updatedItems.isEmpty,
      .itemMoveWithin: reordered.contains(true), .itemMoveBetween: !movesBetween.isEmpty,
    ]
    return Set(isThere.filter(\.value).keys)
  }

  /// What of `changes` is too much, missing, or in the wrong place; nil if nothing is.
  func flaw(of changes: [Changes]) -> String? {
    if changes.flatMap(\.deletedSections) != deletedSections {
      return "the deleted sections are not those that are gone"
    }
    if changes.flatMap(\.insertedSections).map(\.index) != insertedSections {
      return "the inserted sections are not those that are new"
    }
    if changes.flatMap(\.deletedItems) != deletedItems {
      return "the deleted items are not those that are gone from sections that stay"
    }
    if changes.flatMap(\.insertedItems).map(\.path) != insertedItems {
      return "the inserted items are not those that are new in sections that stay"
    }
    let updates = changes.flatMap(\.updatedItems)
    if updates.map(\.path) != updatedItems.map(\.path)
      || updates.map(\.item) != updatedItems.map(\.item)
    {
      return "the updated items are not those that are not equal"
    }
    return flawOfMoves(changes)
  }

  private func flawOfMoves(_ changes: [Changes]) -> String? {
    let sections = changes.flatMap(\.movedSections).map(\.to)
    if sections.isEmpty == sectionsAreReordered || Set(sections).count != sections.count {
      return "the moved sections are not some of those that change places"
    }
    var between: [ItemPath] = []
    var within = [Int](repeating: 0, count: reordered.count)
    let arrivals = Set(movesBetween)
    for move in changes.flatMap(\.movedItems) {
      if arrivals.contains(move.to) {
        between.append(move.to)
      } else {
        within[move.to.section] += 1
      }
    }
    if between != movesBetween { return "the items moved between sections are not those that were" }
    for (index, count) in within.enumerated() where (count > 0) != reordered[index] {
      return "section \(index) has \(count) moves within it, and \(reordered[index]) for an answer"
        + " to whether its items have another order"
    }
    return nil
  }
}
