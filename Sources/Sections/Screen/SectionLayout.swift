/// How the cells of a section stand on screen.
///
/// To add one: a case here and its answers below; how it is drawn as text, in `Screen+Text.swift`;
/// its elements, in `Screen+HTML.swift`; and its style, `.screen .NAME`, in `ScreenStyle.swift`. The
/// compiler asks for all but the last, and a test for that.
public enum SectionLayout: String, CaseIterable, Codable, Hashable, Sendable {
  /// Small cells in a row, and in more where one does not hold them: something to choose from.
  case chips
  /// Each cell as wide as the screen, in a frame of its own.
  case banner
  /// One below the other.
  case list
  /// Tiles in one row that is scrolled sideways.
  case shelf
  /// Tiles in as many rows as they need.
  case grid

  /// Whether its cells are tiles: a picture above a title.
  var isOfTiles: Bool {
    switch self {
    case .shelf, .grid: true
    case .chips, .banner, .list: false
    }
  }

  /// Whether it is moved sideways to see the rest.
  var isScrolled: Bool {
    switch self {
    case .shelf: true
    case .chips, .banner, .list, .grid: false
    }
  }

  /// Whether a cell is a title and a badge, and no more.
  var isOfWords: Bool {
    switch self {
    case .chips: true
    case .banner, .list, .shelf, .grid: false
    }
  }
}

/// The layout of a screen, asked section by section.
///
///     let layout = CompositionalLayout { section in section == 0 ? .chips : .list }
public struct CompositionalLayout: Sendable {
  private let provider: @Sendable (Int) -> SectionLayout?

  /// A layout that asks `provider` for each section, by its index, 0-based.
  public init(_ provider: @escaping @Sendable (_ section: Int) -> SectionLayout?) {
    self.provider = provider
  }

  /// A layout of these, section by section.
  public init(_ layouts: [SectionLayout]) {
    provider = { layouts.indices.contains($0) ? layouts[$0] : nil }
  }

  /// How the section at an index stands.
  ///
  /// - Throws: `SectionsError.noLayout` where the provider has none.
  public func layout(at section: Int) throws -> SectionLayout {
    guard let layout = provider(section) else { throw SectionsError.noLayout(section: section) }
    return layout
  }
}
