/// A step on the way from one list of sections to another, as a view takes it in one go.
///
///     for changeset in try Changeset.diff(from: shown, to: sections) {
///       shown = changeset.finalSections
///       view.perform(changeset)
///     }
///
/// Which index means what:
///
/// - `deletedSections`, `deletedItems`, `updatedItems`, and where a move begins (`from`): the place in
///   the list before the changeset.
/// - `insertedSections`, `insertedItems`, and where a move ends (`to`): the place in the list after it.
///
/// Every list is in ascending order of its indexes, those of moves of `to`. A changeset of `diff` has
/// changes of one of three kinds only: deletes and updates; sections inserted and moved; items
/// inserted and moved. Deletes and updates always come in the first changeset of a diff, so their
/// indexes are those of the original list.
public struct Changeset<ID, Item>: Equatable, Sendable
where ID: Hashable & Sendable, Item: Identifiable & Equatable & Sendable, Item.ID: Sendable {
  /// The sections that go, with all their items.
  public internal(set) var deletedSections: [Int] = []
  /// The items that go while their section stays.
  public internal(set) var deletedItems: [ItemPath] = []
  /// The items whose content changes.
  public internal(set) var updatedItems: [PlacedItem] = []
  /// The sections that come, with all their items.
  public internal(set) var insertedSections: [PlacedSection] = []
  /// The sections that change their place.
  public internal(set) var movedSections: [SectionMove] = []
  /// The items that come into a section which was there.
  public internal(set) var insertedItems: [PlacedItem] = []
  /// The items that change their place, within a section or from one to another.
  public internal(set) var movedItems: [ItemMove] = []
  /// The whole list after this step.
  public internal(set) var finalSections: [SectionModel<ID, Item>]

  /// An item and where it is: before the step for an update, after it for an insert.
  public struct PlacedItem: Equatable, Sendable {
    /// Its place.
    public let path: ItemPath
    /// The item as it is after the step.
    public let item: Item
  }

  /// A section and where it is after the step.
  public struct PlacedSection: Equatable, Sendable {
    /// Its place.
    public let index: Int
    /// The section with its items.
    public let section: SectionModel<ID, Item>
  }

  /// Whether the step does nothing. `diff` gives no such steps.
  public var isEmpty: Bool {
    deletedSections.isEmpty && deletedItems.isEmpty && updatedItems.isEmpty
      && insertedSections.isEmpty && movedSections.isEmpty && insertedItems.isEmpty
      && movedItems.isEmpty
  }

  /// A step that does nothing yet, and leads to `sections`.
  init(to sections: [SectionModel<ID, Item>]) { finalSections = sections }
}

/// A section that changes its place.
public struct SectionMove: Hashable, Codable, Sendable {
  /// Its index before the step.
  public let from: Int
  /// Its index after the step.
  public let to: Int

  /// A move of these parts.
  public init(from: Int, to: Int) {
    self.from = from
    self.to = to
  }
}

/// An item that changes its place.
public struct ItemMove: Hashable, Codable, Sendable {
  /// Its place before the step.
  public let from: ItemPath
  /// Its place after the step.
  public let to: ItemPath

  /// A move of these parts.
  public init(from: ItemPath, to: ItemPath) {
    self.from = from
    self.to = to
  }
}
