/// Where an item stands: the index of its section, and its own in there, both 0-based.
public struct ItemPath: Hashable, Comparable, Codable, Sendable {
  /// The index of the section.
  public var section: Int
  /// The index of the item in its section.
  public var item: Int

  /// A path of these parts.
  public init(section: Int, item: Int) {
    self.section = section
    self.item = item
  }

  /// Whether `left` comes before `right`: by section, then by item.
  public static func < (left: ItemPath, right: ItemPath) -> Bool {
    (left.section, left.item) < (right.section, right.item)
  }
}

extension ItemPath: CustomStringConvertible {
  /// `[2][5]`.
  public var description: String { "[\(section)][\(item)]" }
}
