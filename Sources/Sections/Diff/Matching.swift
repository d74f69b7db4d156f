/// Which section and item of the new list is which of the old one, by their ids.
///
/// Items are numbered through, section after section: so one array holds what is known of each, and
/// an item's number is `starts[section] + item`.
struct Matching<ID, Item>
where ID: Hashable & Sendable, Item: Identifiable & Equatable & Sendable, Item.ID: Sendable {
  /// For each old section its new index; nil where it is gone.
  private(set) var newSection: [Int?]
  /// For each new section its old index; nil where it is new.
  private(set) var oldSection: [Int?]
  /// For each old item its new place; nil where it is gone, or has to go because the section that it
  /// is in, or comes to, does not stay.
  private(set) var newPath: [ItemPath?]
  /// For each new item its old place; nil where there is none that it can come from.
  private(set) var oldPath: [ItemPath?]
  /// The number of the first item of each old section.
  let oldStarts: [Int]
  /// The number of the first item of each new section.
  let newStarts: [Int]

  /// Matches the two lists.
  ///
  /// - Throws: `SectionsError.duplicateSection`, `.duplicateItem`.
  /// - Complexity: O(n) on average for n sections and items of both lists.
  init(_ old: [SectionModel<ID, Item>], _ new: [SectionModel<ID, Item>]) throws {
    let oldIndexes = try Self.sectionIndexes(old, in: .old)
    let newIndexes = try Self.sectionIndexes(new, in: .new)
    newSection = old.map { newIndexes[$0.id] }
    oldSection = new.map { oldIndexes[$0.id] }
    oldStarts = Self.starts(old)
    newStarts = Self.starts(new)
    newPath = Array(repeating: nil, count: old.reduce(0) { $0 + $1.items.count })
    oldPath = Array(repeating: nil, count: new.reduce(0) { $0 + $1.items.count })
    try matchItems(old, new)
  }

  private mutating func matchItems(
    _ old: [SectionModel<ID, Item>], _ new: [SectionModel<ID, Item>]
  ) throws {
    let oldPaths = try Self.itemPaths(old, in: .old)
    let newPaths = try Self.itemPaths(new, in: .new)
    for (id, to) in newPaths {
      // A section that does not stay absorbs what it holds.
      guard let from = oldPaths[id], newSection[from.section] != nil, oldSection[to.section] != nil
      else { continue }
      newPath[oldStarts[from.section] + from.item] = to
      oldPath[newStarts[to.section] + to.item] = from
    }
  }

  private static func starts(_ sections: [SectionModel<ID, Item>]) -> [Int] {
    var next = 0
    return sections.map { section in
      defer { next += section.items.count }
      return next
    }
  }

  private static func sectionIndexes(
    _ sections: [SectionModel<ID, Item>], in list: SectionsError.List
  ) throws -> [ID: Int] {
    var indexes: [ID: Int] = [:]
    for (index, section) in sections.enumerated() {
      if let first = indexes.updateValue(index, forKey: section.id) {
        throw SectionsError.duplicateSection(
          id: "\(section.id)", first: first, second: index, in: list)
      }
    }
    return indexes
  }

  private static func itemPaths(
    _ sections: [SectionModel<ID, Item>], in list: SectionsError.List
  ) throws -> [Item.ID: ItemPath] {
    var paths: [Item.ID: ItemPath] = [:]
    paths.reserveCapacity(sections.reduce(0) { $0 + $1.items.count })
    for (index, section) in sections.enumerated() {
      for (place, item) in section.items.enumerated() {
        let path = ItemPath(section: index, item: place)
        if let first = paths.updateValue(path, forKey: item.id) {
          throw SectionsError.duplicateItem(
            id: "\(item.id)", first: first, second: path, in: list)
        }
      }
    }
    return paths
  }
}
