/// What a post is listed under.
public enum GroupBuyingCategory: String, Codable, CaseIterable, Sendable {
  case beauty
  case food
  case fashion
  case pet
  case living
  case kitchen
  case electronics
  case kids
  case sports
  case health
  case travel
  case books
  case hobby
}

/// One category, or all of them. Coded as the category's name, or `"all"`.
public enum CategoryFilter: Hashable, Sendable {
  /// Every post.
  case all
  /// The posts of one category.
  case only(GroupBuyingCategory)

  /// All, then each category in its order: 14.
  public static var choices: [CategoryFilter] {
    [.all] + GroupBuyingCategory.allCases.map(CategoryFilter.only)
  }

  /// `all`, or the name of the category.
  public var name: String {
    switch self {
    case .all: Self.allName
    case .only(let category): category.rawValue
    }
  }

  /// The name as people read it: `All`, `Beauty`.
  public var title: String { name.prefix(1).uppercased() + name.dropFirst() }

  /// Whether posts of `category` pass.
  public func includes(_ category: GroupBuyingCategory) -> Bool {
    switch self {
    case .all: true
    case .only(let only): only == category
    }
  }
}

extension CategoryFilter: Codable {
  private static let allName = "all"

  /// Reads `"all"` or the name of a category.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let name = try container.decode(String.self)
    if name == Self.allName {
      self = .all
    } else if let category = GroupBuyingCategory(rawValue: name) {
      self = .only(category)
    } else {
      let names = [Self.allName] + GroupBuyingCategory.allCases.map(\.rawValue)
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "\"\(name)\" is no category: expected \(names.joined(separator: ", "))")
    }
  }

  /// Writes `"all"` or the name of the category.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }
}
