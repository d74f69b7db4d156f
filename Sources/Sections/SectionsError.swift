/// Why sections cannot be compared, changed or drawn.
public enum SectionsError: Error, Hashable, Sendable {
  /// Which of the two lists that are compared.
  public enum List: String, Sendable {
    /// The list that the changes begin at.
    case old
    /// The list that they lead to.
    case new
  }

  /// Two sections of a list have one id, written as text, at these indexes.
  case duplicateSection(id: String, first: Int, second: Int, in: List)
  /// Two items of a list, in one section or in two, have one id, written as text.
  case duplicateItem(id: String, first: ItemPath, second: ItemPath, in: List)
  /// A changeset names an index that the sections which it is applied to do not have.
  case foreignChangeset(what: String)
  /// Nothing is registered under a token, written as `"post" for Post`.
  case notRegistered(token: String, registered: [String])
  /// The layout has nothing for the section at an index.
  case noLayout(section: Int)
}

extension SectionsError: CustomStringConvertible {
  /// What was wrong, where, and what to do.
  public var description: String {
    switch self {
    case .duplicateSection(let id, let first, let second, let list):
      "the \(list) list has two sections \(id): at \(first) and \(second). "
        + "Give each section an id of its own."
    case .duplicateItem(let id, let first, let second, let list):
      "the \(list) list has two items \(id): at \(first) and \(second). "
        + "Give each item an id of its own, across all sections."
    case .foreignChangeset(let what):
      "the changeset was made for other sections: there is no \(what). "
        + "Apply it to the sections that it was computed from."
    case .notRegistered(let token, let registered):
      "nothing is registered for \(token). Registered: "
        + (registered.isEmpty ? "nothing" : registered.joined(separator: ", "))
        + ". Call register first."
    case .noLayout(let section):
      "the layout has nothing for section \(section). Give one for each section."
    }
  }
}
