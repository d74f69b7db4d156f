import Foundation

/// What the embedded music shop sells: the same invented albums and songs on every machine.
public enum MusicCatalogue {
  /// Every album, then every song.
  public static let items: [MusicItem] =
    albumGenres.enumerated().flatMap { genre, name in
      titles.indices.map { .album(album(genre * titles.count + $0, genre: name)) }
    }
    + singers.enumerated().flatMap { singer, name in
      titles.indices.map { .song(song(singer * titles.count + $0, artist: name)) }
    }

  /// The album at `index`: everything about it follows from the number.
  private static func album(_ index: Int, genre: String) -> Album {
    Album(
      id: firstAlbumID + Int64(index), name: "\(titles[index % titles.count]) \(index + 1)",
      artist: bands[index * 3 % bands.count], artworkURL: artwork("album", index),
      price: Decimal(699 + index * 37 % 7 * 100) / 100, currency: "USD",
      trackCount: 6 + index * 5 % 9, releaseDate: release(index), genre: genre)
  }

  private static func song(_ index: Int, artist: String) -> Song {
    Song(
      id: firstSongID + Int64(index), name: "\(titles[index % titles.count]) (take \(index + 1))",
      artist: artist, album: titles[(index + 2) % titles.count],
      artworkURL: artwork("song", index),
      previewURL: URL(string: "https://music.example/preview/\(index + 1).m4a"),
      price: index % 4 == 3 ? nil : Decimal(129) / 100, currency: "USD",
      milliseconds: 150_000 + index * 7_919 % 90_000, releaseDate: release(index), genre: "Ballad")
  }

  private static func artwork(_ kind: String, _ index: Int) -> URL? {
    URL(string: "https://music.example/artwork/\(kind)-\(index + 1)/100x100.jpg")
  }

  private static func release(_ index: Int) -> Date {
    firstRelease.addingTimeInterval(Double(index * 11) * 86_400)
  }

  private static let albumGenres = ["KPop", "Lofi Chill", "Happy Pop"]
  private static let singers = ["Yohan Haze", "Tess Yarrow"]
  private static let bands = ["Nine Lanterns", "Paper Comet", "Mellow Harbor", "Low Tide Club"]
  private static let titles = [
    "First Snow", "Window Seat", "Blue Hour", "Long Way Home", "Sunday Kettle", "Afterglow",
  ]

  // Both beyond 32 bits, as real ones are by now.
  private static let firstAlbumID: Int64 = 6_440_000_001
  private static let firstSongID: Int64 = 6_450_000_001

  /// 2024-01-05T08:00:00Z.
  private static let firstRelease = Date(timeIntervalSince1970: 1_704_441_600)
}
