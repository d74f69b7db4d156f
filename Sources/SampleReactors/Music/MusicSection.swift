import Sections

/// A section of the music screen; there is one of each kind. Its items are in the shop's order:
/// albums or songs, as its kind says.
public typealias MusicSection = SectionModel<MusicSectionKind, MusicShelfItem>

/// The sections of the music screen, from top to bottom. `MusicEndpoint` says which request fills
/// which; both keep the names that the original has.
public enum MusicSectionKind: String, Codable, CaseIterable, Sendable {
  /// K-pop albums, at the top.
  case featuredAlbum
  /// Songs by Yohan Haze.
  case YHSongs
  /// Songs by Tess Yarrow.
  case TYSongs
  /// Lo-fi albums.
  case lofiAlbums
  /// Happy pop albums.
  case happyPopAlbums
}

extension MusicSectionKind: CustomStringConvertible {
  /// Its name.
  public var description: String { rawValue }
}

extension MusicSection {
  /// What it is.
  public var type: MusicSectionKind { id }

  /// The section that `answer` to `endpoint` fills. Other kinds of item than were asked for, an item
  /// that was there before, and more than were asked for are left out.
  /// - Complexity: O(n) for n items.
  init(_ endpoint: MusicEndpoint, answer: [MusicItem]) {
    let search = endpoint.search
    var shown = Set<MusicItem.ID>()
    let wanted = answer.filter { $0.entity == search.entity && shown.insert($0.id).inserted }
    self.init(
      id: endpoint.section,
      items: wanted.prefix(search.limit).map {
        MusicShelfItem(shelf: endpoint.section, item: $0)
      })
  }
}

/// An album or a song where it stands. It may stand in two sections, so which one is a part of its
/// identity.
public struct MusicShelfItem: Hashable, Sendable {
  /// The section.
  public var shelf: MusicSectionKind
  /// The album or song.
  public var item: MusicItem

  /// An item of a section.
  public init(shelf: MusicSectionKind, item: MusicItem) {
    self.shelf = shelf
    self.item = item
  }
}

extension MusicShelfItem: Identifiable, CustomStringConvertible {
  /// Which section and which item.
  public struct ID: Hashable, Sendable, CustomStringConvertible {
    let shelf: MusicSectionKind
    let item: MusicItem.ID

    /// `featuredAlbum/album 7`.
    public var description: String { "\(shelf)/\(item)" }
  }

  /// Which item it is, whatever is shown of it.
  public var id: ID { ID(shelf: shelf, item: item.id) }

  /// Its title, and who made it.
  public var description: String {
    [item.name, item.artist].compactMap(\.self).joined(separator: " by ")
  }
}

extension MusicShelfItem: Codable {
  private enum CodingKeys: String, CodingKey {
    case shelf, album, song
  }

  /// Reads `{"album":{…},"shelf":…}` or `{"shelf":…,"song":{…}}`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    shelf = try values.decode(MusicSectionKind.self, forKey: .shelf)
    item =
      values.contains(.album)
      ? .album(try values.decode(Album.self, forKey: .album))
      : .song(try values.decode(Song.self, forKey: .song))
  }

  /// Writes what is read.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(shelf, forKey: .shelf)
    switch item {
    case .album(let album): try values.encode(album, forKey: .album)
    case .song(let song): try values.encode(song, forKey: .song)
    }
  }
}
