/// What the shop is searched for.
public struct MusicSearch: Hashable, Sendable {
  /// What kind of item.
  public enum Entity: String, Codable, CaseIterable, Sendable {
    /// An album.
    case album
    /// A song.
    case song
  }

  /// The words to be found, separated by spaces.
  public var term: String
  /// What kind of item is to be found.
  public var entity: Entity
  /// How many at most: 1 to 200.
  public var limit: Int

  /// The limits that the shop accepts.
  public static let limits = 1...200

  /// A search.
  public init(term: String, entity: Entity, limit: Int) {
    self.term = term
    self.entity = entity
    self.limit = limit
  }
}

/// The five requests that the screen is made of, in the order of its sections.
///
/// They are not called as the sections that they fill: both keep the names that the original has.
public enum MusicEndpoint: String, Codable, CaseIterable, Sendable {
  /// Albums that are K-pop.
  case kpopAlbums
  /// Songs by Yohan Haze.
  case yhSongs
  /// Songs by Tess Yarrow.
  case tySongs
  /// Albums that are lo-fi and chill.
  case lofiChillAlbums
  /// Albums that are happy pop.
  case happyPopAlbums

  /// What the shop is searched for.
  public var search: MusicSearch {
    switch self {
    case .kpopAlbums: MusicSearch(term: "kpop", entity: .album, limit: Self.limit)
    case .yhSongs: MusicSearch(term: "yohan haze", entity: .song, limit: Self.limit)
    case .tySongs: MusicSearch(term: "tess yarrow", entity: .song, limit: Self.limit)
    case .lofiChillAlbums: MusicSearch(term: "lofi chill", entity: .album, limit: Self.limit)
    case .happyPopAlbums: MusicSearch(term: "happy pop", entity: .album, limit: Self.limit)
    }
  }

  /// The section that its answer fills.
  public var section: MusicSectionKind {
    switch self {
    case .kpopAlbums: .featuredAlbum
    case .yhSongs: .YHSongs
    case .tySongs: .TYSongs
    case .lofiChillAlbums: .lofiAlbums
    case .happyPopAlbums: .happyPopAlbums
    }
  }

  /// Items in a section.
  private static let limit = 5
}

/// A music shop. What it throws reaches people as an `AppError`.
public protocol MusicService: Sendable {
  /// What the shop answers to one of the five requests, in its order. A shop may answer with other
  /// kinds of item than were asked for, and with an item twice.
  func items(of endpoint: MusicEndpoint) async throws -> [MusicItem]
}

/// The embedded service: it answers from the `MusicCatalogue`, with no network.
public struct EmbeddedMusicService: MusicService {
  private let catalogue: [MusicItem]
  private let beforeAnswering: @Sendable (MusicEndpoint) async throws -> Void

  /// A service over `catalogue`.
  ///
  /// - Parameter beforeAnswering: awaited before each answer. How long it takes delays the answer,
  ///   and what it throws is the answer: for tests and demonstrations.
  public init(
    _ catalogue: [MusicItem] = MusicCatalogue.items,
    beforeAnswering: @escaping @Sendable (MusicEndpoint) async throws -> Void = { _ in }
  ) {
    self.catalogue = catalogue
    self.beforeAnswering = beforeAnswering
  }

  /// As `MusicService.items(of:)`; also throws what `beforeAnswering` does.
  /// - Complexity: O(n) for n items in the catalogue.
  public func items(of endpoint: MusicEndpoint) async throws -> [MusicItem] {
    try await beforeAnswering(endpoint)
    return endpoint.search.found(in: catalogue)
  }
}

extension MusicSearch {
  /// The items of `catalogue` that answer the search, in its order: those of the entity in whose
  /// title, artist and genre each word of the term is found, in any case of letters. None for a limit
  /// below 1.
  /// - Complexity: O(n) for n items.
  public func found(in catalogue: [MusicItem]) -> [MusicItem] {
    let words = term.lowercased().split(separator: " ")
    let found = catalogue.lazy.filter { item in
      item.entity == entity && words.allSatisfy { item.searchedText.contains($0) }
    }
    return Array(found.prefix(max(limit, 0)))
  }
}

extension MusicItem {
  fileprivate var searchedText: String {
    let genre =
      switch self {
      case .album(let album): album.genre
      case .song(let song): song.genre
      }
    return [name, artist, genre].compactMap(\.self).joined(separator: " ").lowercased()
  }
}
