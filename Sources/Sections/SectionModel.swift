/// A section: what it is, and its items in order.
public struct SectionModel<Model: Hashable & Sendable, Item: Identifiable & Equatable & Sendable>:
  Equatable, Sendable
where Item.ID: Sendable {
  /// What it is: two sections with equal models are the same section.
  public var model: Model
  /// What it shows, in order.
  public var items: [Item]

  /// A section of these parts.
  public init(model: Model, items: [Item]) {
    self.model = model
    self.items = items
  }
}
