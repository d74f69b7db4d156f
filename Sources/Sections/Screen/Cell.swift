/// An item as it is drawn: texts, and what is said of them. What it looks like is up to the layout
/// of its section and to what it is drawn on.
public struct Cell: Identifiable, Codable, Hashable, Sendable {
  /// Which item it is.
  public var id: String
  /// The one text that every layout shows.
  public var title: String
  /// What stands below the title, a text a line. Chips have no room for it.
  public var lines: [String]
  /// A short text beside the title, such as a count.
  public var badge: Badge?
  /// What stands for a picture on a tile, one or two characters.
  public var symbol: String?
  /// How it stands out.
  public var look: Look

  /// How a cell stands out.
  public enum Look: String, CaseIterable, Codable, Sendable {
    /// It does not.
    case plain
    /// It is the one that was chosen.
    case selected
    /// A grey box where a cell is expected; its title is not shown, but read out.
    case placeholder
  }

  /// A short text, and whether what it counts or names is on.
  public struct Badge: Codable, Hashable, Sendable {
    /// The text.
    public var text: String
    /// Whether it stands out: a like that was given.
    public var isOn: Bool

    /// A badge of these parts.
    public init(_ text: String, isOn: Bool = false) {
      self.text = text
      self.isOn = isOn
    }
  }

  /// A cell of these parts.
  public init(
    id: String, title: String, lines: [String] = [], badge: Badge? = nil, symbol: String? = nil,
    look: Look = .plain
  ) {
    self.id = id
    self.title = title
    self.lines = lines
    self.badge = badge
    self.symbol = symbol
    self.look = look
  }
}
