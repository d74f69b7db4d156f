extension Changeset {
  /// `sections` after this step. Takes its indexes and what it inserts and updates, as a view does,
  /// and never looks at `finalSections`.
  ///
  /// - Throws: `SectionsError.foreignChangeset` where `sections` are not those of the diff, as far as
  ///   an index tells.
  /// - Complexity: O(n) for n sections and items.
  public func applied(
    to sections: [SectionModel<ID, Item>]
  ) throws -> [SectionModel<ID, Item>] {
    var sections = sections
    try update(&sections)
    try deleteItems(of: &sections)
    try deleteSections(of: &sections)
    try arrange(&sections)
    try arrangeItems(of: &sections)
    return sections
  }

  private func update(_ sections: inout [SectionModel<ID, Item>]) throws {
    for update in updatedItems {
      try Self.check(update.path, in: sections)
      sections[update.path.section].items[update.path.item] = update.item
    }
  }

  private func deleteItems(of sections: inout [SectionModel<ID, Item>]) throws {
    for path in deletedItems { try Self.check(path, in: sections) }
    Self.remove(deletedItems, from: &sections)
  }

  private func deleteSections(of sections: inout [SectionModel<ID, Item>]) throws {
    for index in deletedSections { try Self.check(index, in: sections) }
    let deleted = Set(deletedSections)
    if deleted.isEmpty { return }
    sections = sections.indices.filter { !deleted.contains($0) }.map { sections[$0] }
  }

  /// Takes out the sections that move, and puts those that arrive where they belong, the rest
  /// around them.
  private func arrange(_ sections: inout [SectionModel<ID, Item>]) throws {
    var arrivals: [(index: Int, SectionModel<ID, Item>)] =
      insertedSections.map { ($0.index, $0.section) }
    for move in movedSections {
      try Self.check(move.from, in: sections)
      arrivals.append((move.to, sections[move.from]))
    }
    if arrivals.isEmpty { return }
    let moved = Set(movedSections.map(\.from))
    let rest = sections.indices.filter { !moved.contains($0) }.map { sections[$0] }
    sections = try Self.merge(rest, arrivals) { "place \($0) for a section" }
  }

  private func arrangeItems(of sections: inout [SectionModel<ID, Item>]) throws {
    var arrivals: [Int: [(index: Int, Item)]] = [:]
    for insert in insertedItems {
      arrivals[insert.path.section, default: []].append((insert.path.item, insert.item))
    }
    for move in movedItems {
      try Self.check(move.from, in: sections)
      let item = sections[move.from.section].items[move.from.item]
      arrivals[move.to.section, default: []].append((move.to.item, item))
    }
    Self.remove(movedItems.map(\.from).sorted(), from: &sections)
    for (index, items) in arrivals {
      try Self.check(index, in: sections)
      sections[index].items = try Self.merge(sections[index].items, items) { place in
        "place \(ItemPath(section: index, item: place)) for an item"
      }
    }
  }

  /// Removes the items at `paths`, which are there and in ascending order.
  private static func remove(
    _ paths: [ItemPath], from sections: inout [SectionModel<ID, Item>]
  ) {
    var next = paths.startIndex
    while next < paths.endIndex {
      let section = paths[next].section
      var kept: [Item] = []
      kept.reserveCapacity(sections[section].items.count)
      for (place, item) in sections[section].items.enumerated() {
        if next < paths.endIndex, paths[next] == ItemPath(section: section, item: place) {
          next += 1
        } else {
          kept.append(item)
        }
      }
      sections[section].items = kept
    }
  }

  /// `rest` in its order, with each of `arrivals` at its index.
  private static func merge<T>(
    _ rest: [T], _ arrivals: [(index: Int, T)], missing: (Int) -> String
  ) throws -> [T] {
    var merged: [T] = []
    merged.reserveCapacity(rest.count + arrivals.count)
    var next = rest.startIndex
    for (index, arrival) in arrivals.sorted(by: { $0.index < $1.index }) {
      let gap = index - merged.count
      guard gap >= 0, next + gap <= rest.count else {
        throw SectionsError.foreignChangeset(what: missing(index))
      }
      merged.append(contentsOf: rest[next..<next + gap])
      next += gap
      merged.append(arrival)
    }
    merged.append(contentsOf: rest[next...])
    return merged
  }

  private static func check(_ section: Int, in sections: [SectionModel<ID, Item>]) throws {
    if !sections.indices.contains(section) {
      throw SectionsError.foreignChangeset(what: "section \(section)")
    }
  }

  private static func check(_ path: ItemPath, in sections: [SectionModel<ID, Item>]) throws {
    try check(path.section, in: sections)
    if !sections[path.section].items.indices.contains(path.item) {
      throw SectionsError.foreignChangeset(what: "item at \(path)")
    }
  }
}
