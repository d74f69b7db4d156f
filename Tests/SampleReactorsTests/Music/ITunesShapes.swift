/// Results in the shape of the iTunes Search API. Everybody in them is invented.
enum ITunesShapes {
  static let album = """
    {"wrapperType":"collection","collectionType":"Album","artistId":310200300,
    "collectionId":6440100200,"amgArtistId":4100,"artistName":"The Quiet Ferry",
    "collectionName":"Paper Boats","collectionCensoredName":"Paper Boats",
    "artistViewUrl":"https://music.example/artist/310200300?uo=4",
    "collectionViewUrl":"https://music.example/album/6440100200?uo=4",
    "artworkUrl60":"https://music.example/a/60x60bb.jpg",
    "artworkUrl100":"https://music.example/a/100x100bb.jpg","collectionPrice":9.99,
    "collectionExplicitness":"notExplicit","trackCount":11,"copyright":"2019 Ferry Records",
    "country":"USA","currency":"USD","releaseDate":"2019-04-12T07:00:00Z",
    "primaryGenreName":"Pop"}
    """

  static let song = """
    {"wrapperType":"track","kind":"song","artistId":310200300,"collectionId":6440100200,
    "trackId":6450100201,"artistName":"The Quiet Ferry","collectionName":"Paper Boats",
    "trackName":"Rain on Tin","collectionCensoredName":"Paper Boats",
    "trackCensoredName":"Rain on Tin",
    "previewUrl":"https://music.example/p/1.m4a",
    "artworkUrl30":"https://music.example/a/30x30bb.jpg",
    "artworkUrl60":"https://music.example/a/60x60bb.jpg",
    "artworkUrl100":"https://music.example/a/100x100bb.jpg","collectionPrice":9.99,
    "trackPrice":1.29,"releaseDate":"2019-04-12T07:00:00Z","trackExplicitness":"notExplicit",
    "discCount":1,"discNumber":1,"trackCount":11,"trackNumber":3,"trackTimeMillis":215733,
    "country":"USA","currency":"USD","primaryGenreName":"Pop","isStreamable":true}
    """

  static let artist = """
    {"wrapperType":"artist","artistType":"Artist","artistName":"The Quiet Ferry",
    "artistId":310200300,"primaryGenreName":"Pop","primaryGenreId":14}
    """

  static let musicVideo = """
    {"wrapperType":"track","kind":"music-video","artistId":310200300,"trackId":6450100299,
    "artistName":"The Quiet Ferry","trackName":"Rain on Tin (Live)","trackPrice":-1.0}
    """

  static let audiobook = """
    {"wrapperType":"audiobook","artistId":310200301,"collectionId":6440100777,
    "artistName":"Ilse Brook","collectionName":"Tides (Unabridged)","collectionPrice":14.95,
    "description":"<b>A novel</b>"}
    """

  static let film = """
    {"wrapperType":"track","kind":"feature-movie","trackId":6450100888,"trackName":"Ferry",
    "trackHdPrice":12.99}
    """

  static let streamingOnlySong = """
    {"wrapperType":"track","kind":"song","trackId":6450100333,"trackName":"Night Bus",
    "artistName":"Low Tide Club","trackPrice":-1,"collectionPrice":-1,"artworkUrl100":""}
    """

  static let nullSong = """
    {"wrapperType":"track","kind":"song","trackId":5,"trackName":"Nothing Known",
    "artistName":null,"collectionName":null,"collectionCensoredName":null,"artworkUrl100":null,
    "artworkUrl60":null,"artworkUrl30":null,"previewUrl":null,"trackPrice":null,"currency":null,
    "trackTimeMillis":null,"releaseDate":null,"primaryGenreName":null}
    """

  static let nullAlbum = """
    {"wrapperType":"collection","collectionType":null,"collectionId":6,
    "collectionName":"Nothing Known","artistName":null,"artworkUrl100":null,
    "collectionPrice":null,"currency":null,"trackCount":null,"releaseDate":null,
    "primaryGenreName":null}
    """

  /// Eight results, three of which this app shows.
  static let mixed = """
    {"resultCount":8,
    "results":[\(artist),\(song),\(musicVideo),\(audiobook),\(album),\(film),null,\(streamingOnlySong)]}
    """
}
