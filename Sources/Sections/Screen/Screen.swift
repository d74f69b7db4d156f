/// A screen as data: what a state shows, ready to be drawn as text or as HTML.
public struct Screen: Codable, Hashable, Sendable {
  /// What the screen is called.
  public var title: String
  /// What is added to the title, such as what was searched for.
  public var subtitle: String?
  /// Who looks at it, in the corner across from the title.
  public var account: String?
  /// What the screen has to tell, above its sections.
  public var notices: [Notice]
  /// What it is made of, from top to bottom.
  public var sections: [ScreenSection]
  /// What floats above the sections: buttons, the main one first.
  public var buttons: [String]

  /// A screen of these parts.
  public init(
    title: String, subtitle: String? = nil, account: String? = nil, notices: [Notice] = [],
    sections: [ScreenSection] = [], buttons: [String] = []
  ) {
    self.title = title
    self.subtitle = subtitle
    self.account = account
    self.notices = notices
    self.sections = sections
    self.buttons = buttons
  }
}

/// Something that a screen has to tell.
public struct Notice: Codable, Hashable, Sendable {
  /// What sort of thing it is.
  public var kind: Kind
  /// What it says.
  public var text: String
  /// What can be answered, for a question.
  public var choices: [String]

  /// What sort of thing a notice is.
  public enum Kind: String, CaseIterable, Codable, Sendable {
    /// Something goes on and will end.
    case progress
    /// Something happened that is fine.
    case news
    /// An answer is needed.
    case question
    /// Something went wrong.
    case error
  }

  /// A notice of these parts.
  public init(_ kind: Kind, _ text: String, choices: [String] = []) {
    self.kind = kind
    self.text = text
    self.choices = choices
  }
}

/// A section as it is drawn.
public struct ScreenSection: Identifiable, Codable, Hashable, Sendable {
  /// Which section it is.
  public var id: String
  /// What stands above it; nil for nothing.
  public var title: String?
  /// How its cells stand.
  public var layout: SectionLayout
  /// What it shows.
  public var cells: [Cell]
  /// What stands below it, or in its place where it has no cells.
  public var footer: String?

  /// A section of these parts.
  public init(
    id: String, title: String? = nil, layout: SectionLayout, cells: [Cell], footer: String? = nil
  ) {
    self.id = id
    self.title = title
    self.layout = layout
    self.cells = cells
    self.footer = footer
  }

  /// `sections` as they are drawn.
  ///
  /// - Parameters:
  ///   - layout: asked for each section, by its index.
  ///   - title: what stands above a section.
  ///   - footer: what stands below it.
  ///   - cell: asked for each item; mostly dequeues from a `CellRegistry`.
  /// - Throws: `SectionsError.noLayout`, and what `cell` throws.
  /// - Complexity: O(n) for n items.
  public static func list<ID, Item>(
    _ sections: [SectionModel<ID, Item>], layout: CompositionalLayout,
    title: (SectionModel<ID, Item>) -> String? = { _ in nil },
    footer: (SectionModel<ID, Item>) -> String? = { _ in nil },
    cell: (Item) throws -> Cell
  ) throws -> [ScreenSection] {
    try sections.enumerated().map { index, section in
      ScreenSection(
        id: "\(section.id)", title: title(section), layout: try layout.layout(at: index),
        cells: try section.items.map(cell), footer: footer(section))
    }
  }
}
