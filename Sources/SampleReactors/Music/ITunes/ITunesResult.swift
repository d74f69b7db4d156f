import Foundation

/// One result of the iTunes Search API: a flat object whose fields depend on what it is.
struct ITunesResult {
  /// nil for what this app does not show.
  let item: MusicItem?

  init(_ item: MusicItem) { self.item = item }

  enum CodingKeys: String, CodingKey {
    case wrapperType, kind, collectionType
    case collectionId, collectionName, collectionCensoredName, collectionPrice
    case trackId, trackName, trackCensoredName, trackPrice, trackTimeMillis, trackCount
    case artistName, artworkUrl100, artworkUrl60, artworkUrl30, previewUrl
    case currency, releaseDate, primaryGenreName
  }
}

extension ITunesResult: Decodable {
  init(from decoder: any Decoder) throws {
    let fields = ForbearingFields(try decoder.container(keyedBy: CodingKeys.self))
    if fields.isSong {
      item = Song(fields).map(MusicItem.song)
    } else if fields.isAlbum {
      item = Album(fields).map(MusicItem.album)
    } else {
      item = nil
    }
  }
}

// What a result is: `wrapperType` says how it is wrapped, `kind` and `collectionType` what is
// inside. Where one is missing the other has to do.
extension ForbearingFields<ITunesResult.CodingKeys> {
  fileprivate var isSong: Bool {
    switch (text(.wrapperType), text(.kind)) {
    case ("track", "song"), ("track", nil), (nil, "song"): true
    default: false
    }
  }

  fileprivate var isAlbum: Bool {
    switch (text(.wrapperType), text(.collectionType)) {
    case ("collection", nil), ("collection", "Album"), ("collection", "Compilation"): true
    case (nil, "Album"), (nil, "Compilation"): true
    default: false
    }
  }

  fileprivate var artwork: URL? {
    webAddress(.artworkUrl100) ?? webAddress(.artworkUrl60) ?? webAddress(.artworkUrl30)
  }

  /// Below 0 it says that something is not sold.
  fileprivate func price(_ key: ITunesResult.CodingKeys) -> Decimal? {
    decimal(key).flatMap { $0 < 0 ? nil : $0 }
  }
}

extension Album {
  fileprivate init?(_ fields: ForbearingFields<ITunesResult.CodingKeys>) {
    guard let id = fields.integer(.collectionId),
      let name = fields.text(.collectionName) ?? fields.text(.collectionCensoredName)
    else { return nil }
    self.init(
      id: id, name: name, artist: fields.text(.artistName), artworkURL: fields.artwork,
      price: fields.price(.collectionPrice), currency: fields.text(.currency),
      trackCount: fields.integer(.trackCount).flatMap(Int.init(exactly:)),
      releaseDate: fields.date(.releaseDate), genre: fields.text(.primaryGenreName))
  }
}

extension Song {
  fileprivate init?(_ fields: ForbearingFields<ITunesResult.CodingKeys>) {
    guard let id = fields.integer(.trackId),
      let name = fields.text(.trackName) ?? fields.text(.trackCensoredName)
    else { return nil }
    self.init(
      id: id, name: name, artist: fields.text(.artistName),
      album: fields.text(.collectionName) ?? fields.text(.collectionCensoredName),
      artworkURL: fields.artwork, previewURL: fields.webAddress(.previewUrl),
      price: fields.price(.trackPrice), currency: fields.text(.currency),
      milliseconds: fields.integer(.trackTimeMillis).flatMap(Int.init(exactly:)),
      releaseDate: fields.date(.releaseDate), genre: fields.text(.primaryGenreName))
  }
}

extension ITunesResult: Encodable {
  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    switch item {
    case .album(let album): try Self.encode(album, into: &values)
    case .song(let song): try Self.encode(song, into: &values)
    case nil: break
    }
  }

  private static func encode(
    _ album: Album, into values: inout KeyedEncodingContainer<CodingKeys>
  ) throws {
    try values.encode("collection", forKey: .wrapperType)
    try values.encode("Album", forKey: .collectionType)
    try values.encode(album.id, forKey: .collectionId)
    try values.encode(album.name, forKey: .collectionName)
    try values.encodeIfPresent(album.artist, forKey: .artistName)
    try values.encodeIfPresent(album.artworkURL, forKey: .artworkUrl100)
    try values.encode(album.price ?? notSold, forKey: .collectionPrice)
    try values.encodeIfPresent(album.currency, forKey: .currency)
    try values.encodeIfPresent(album.trackCount, forKey: .trackCount)
    try values.encodeIfPresent(album.releaseDate, forKey: .releaseDate)
    try values.encodeIfPresent(album.genre, forKey: .primaryGenreName)
  }

  private static func encode(
    _ song: Song, into values: inout KeyedEncodingContainer<CodingKeys>
  ) throws {
    try values.encode("track", forKey: .wrapperType)
    try values.encode("song", forKey: .kind)
    try values.encode(song.id, forKey: .trackId)
    try values.encode(song.name, forKey: .trackName)
    try values.encodeIfPresent(song.artist, forKey: .artistName)
    try values.encodeIfPresent(song.album, forKey: .collectionName)
    try values.encodeIfPresent(song.artworkURL, forKey: .artworkUrl100)
    try values.encodeIfPresent(song.previewURL, forKey: .previewUrl)
    try values.encode(song.price ?? notSold, forKey: .trackPrice)
    try values.encodeIfPresent(song.currency, forKey: .currency)
    try values.encodeIfPresent(song.milliseconds, forKey: .trackTimeMillis)
    try values.encodeIfPresent(song.releaseDate, forKey: .releaseDate)
    try values.encodeIfPresent(song.genre, forKey: .primaryGenreName)
  }

  private static let notSold = Decimal(-1)
}
