import Foundation

/// An album as the music shop lists it.
public struct Album: Codable, Hashable, Identifiable, Sendable {
  /// Unique among albums, for ever.
  public let id: Int64
  /// Its title.
  public var name: String
  /// Who made it; nil where the shop does not say.
  public var artist: String?
  /// The cover, a small one; nil where there is none that can be loaded.
  public var artworkURL: URL?
  /// What it costs in `currency`; nil where it is not sold.
  public var price: Decimal?
  /// The currency's code, such as USD.
  public var currency: String?
  /// How many tracks it has.
  public var trackCount: Int?
  /// When it came out.
  public var releaseDate: Date?
  /// The shop's word for its genre.
  public var genre: String?

  /// An album; all but its identity and title may be unknown.
  public init(
    id: Int64, name: String, artist: String? = nil, artworkURL: URL? = nil,
    price: Decimal? = nil, currency: String? = nil, trackCount: Int? = nil,
    releaseDate: Date? = nil, genre: String? = nil
  ) {
    self.id = id
    self.name = name
    self.artist = artist
    self.artworkURL = artworkURL
    self.price = price
    self.currency = currency
    self.trackCount = trackCount
    self.releaseDate = releaseDate
    self.genre = genre
  }
}

/// A song as the music shop lists it.
public struct Song: Codable, Hashable, Identifiable, Sendable {
  /// Unique among songs, for ever.
  public let id: Int64
  /// Its title.
  public var name: String
  /// Who plays it; nil where the shop does not say.
  public var artist: String?
  /// The title of the album that it is on.
  public var album: String?
  /// The cover, a small one; nil where there is none that can be loaded.
  public var artworkURL: URL?
  /// Half a minute of it, to listen to.
  public var previewURL: URL?
  /// What it costs in `currency`; nil where it is not sold by itself.
  public var price: Decimal?
  /// The currency's code, such as USD.
  public var currency: String?
  /// How long it is, in milliseconds.
  public var milliseconds: Int?
  /// When it came out.
  public var releaseDate: Date?
  /// The shop's word for its genre.
  public var genre: String?

  /// A song; all but its identity and title may be unknown.
  public init(
    id: Int64, name: String, artist: String? = nil, album: String? = nil,
    artworkURL: URL? = nil, previewURL: URL? = nil, price: Decimal? = nil,
    currency: String? = nil, milliseconds: Int? = nil, releaseDate: Date? = nil,
    genre: String? = nil
  ) {
    self.id = id
    self.name = name
    self.artist = artist
    self.album = album
    self.artworkURL = artworkURL
    self.previewURL = previewURL
    self.price = price
    self.currency = currency
    self.milliseconds = milliseconds
    self.releaseDate = releaseDate
    self.genre = genre
  }
}

/// What the music shop finds and this app shows.
public enum MusicItem: Hashable, Sendable {
  case album(Album)
  case song(Song)
}

extension MusicItem: Identifiable {
  /// An album and a song may have the same number: their identities differ all the same.
  public enum ID: Hashable, Sendable, CustomStringConvertible {
    case album(Int64)
    case song(Int64)

    /// `album 7`.
    public var description: String {
      switch self {
      case .album(let id): "album \(id)"
      case .song(let id): "song \(id)"
      }
    }
  }

  /// Unique among items.
  public var id: ID {
    switch self {
    case .album(let album): .album(album.id)
    case .song(let song): .song(song.id)
    }
  }

  /// Its title.
  public var name: String {
    switch self {
    case .album(let album): album.name
    case .song(let song): song.name
    }
  }

  /// Who made it, if that is known.
  public var artist: String? {
    switch self {
    case .album(let album): album.artist
    case .song(let song): song.artist
    }
  }

  /// What a search may ask for to find it.
  var entity: MusicSearch.Entity {
    switch self {
    case .album: .album
    case .song: .song
    }
  }
}
