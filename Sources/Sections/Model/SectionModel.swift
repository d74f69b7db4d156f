/// A section: what it is, and its items in order.
///
///     SectionModel(id: "posts", items: posts)
///
/// Two sections with equal ids are the same section, whatever they hold. What else a section shows,
/// a title or a count, follows from the state, or is an item of its own: then the diff sees it.
public struct SectionModel<ID, Item>: Identifiable
where ID: Hashable & Sendable, Item: Identifiable & Equatable & Sendable, Item.ID: Sendable {
  /// What it is; unique among the sections of a list.
  public var id: ID
  /// What it shows, in order. The ids are unique across all sections of a list.
  public var items: [Item]

  /// A section of these parts.
  public init(id: ID, items: [Item]) {
    self.id = id
    self.items = items
  }
}

extension SectionModel: Equatable {}
extension SectionModel: Sendable {}

private enum SectionCodingKeys: String, CodingKey {
  case type, items
}

extension SectionModel: Encodable where ID: Encodable, Item: Encodable {
  /// Writes `{"type":…,"items":[…]}`, the type being the section's id.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: SectionCodingKeys.self)
    try values.encode(id, forKey: .type)
    try values.encode(items, forKey: .items)
  }
}

extension SectionModel: Decodable where ID: Decodable, Item: Decodable {
  /// Reads `{"type":…,"items":[…]}`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: SectionCodingKeys.self)
    id = try values.decode(ID.self, forKey: .type)
    items = try values.decode([Item].self, forKey: .items)
  }
}
