/// A section of the music screen, from top to bottom.
public struct MusicSection: Codable, Hashable, Sendable {
  /// What it is; there is one of each.
  public var type: Kind
  /// What it shows, in the shop's order: albums or songs, as its kind says, none twice.
  public var items: [MusicItem]

  /// The sections in their order on screen.
  public enum Kind: String, Codable, CaseIterable, Sendable {
    case featuredAlbum
    case YHSongs
    case TYSongs
    case lofiAlbums
    case happyPopAlbums
  }

  /// A section of these parts.
  public init(type: Kind, items: [MusicItem]) {
    self.type = type
    self.items = items
  }

  /// The section that `answer` to `endpoint` fills. Other kinds of item than were asked for, an item
  /// that was there before, and more than were asked for are left out.
  /// - Complexity: O(n) for n items.
  init(_ endpoint: MusicEndpoint, answer: [MusicItem]) {
    let search = endpoint.search
    var shown = Set<MusicItem.ID>()
    let wanted = answer.filter { $0.entity == search.entity && shown.insert($0.id).inserted }
    self.init(type: endpoint.section, items: Array(wanted.prefix(search.limit)))
  }
}
