import Sections

/// An item of tests: who it is, and what it shows.
struct Thing: Identifiable, Equatable, Sendable {
  let id: Int
  var content = 0
}

typealias Sections = [SectionModel<String, Thing>]
typealias Changes = Changeset<String, Thing>

/// A section of items with these ids.
func section(_ id: String, _ items: [Int]) -> SectionModel<String, Thing> {
  SectionModel(id: id, items: items.map { Thing(id: $0) })
}

func path(_ section: Int, _ item: Int) -> ItemPath { ItemPath(section: section, item: item) }
