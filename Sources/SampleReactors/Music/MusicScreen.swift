import Foundation
import Refold
import Sections

extension MusicReactor.State: SectionsPresenting {}

extension MusicReactor.State: ScreenPresenting {
  /// The shop's front: shelves of albums, lists of songs.
  ///
  /// - Complexity: O(n) for n items.
  public func screen() throws -> Screen {
    Screen(
      title: "Music", notices: isLoading ? [Notice(.progress, "Loading")] : [],
      sections: try ScreenSection.list(
        sections, layout: Self.layout, title: { $0.type.title },
        footer: { $0.items.isEmpty ? "Nothing here yet" : nil },
        cell: Self.cell))
  }

  /// The same, with the message that came up since `earlier`.
  public func screen(since earlier: Self) throws -> Screen {
    var screen = try screen()
    if $errorMessage.count != earlier.$errorMessage.count, let errorMessage {
      screen.notices.insert(Notice(.error, errorMessage), at: 0)
    }
    return screen
  }

  /// Section by section, in their order.
  private static let layout = CompositionalLayout([.shelf, .list, .list, .shelf, .shelf])
}

extension MusicSectionKind {
  /// What stands above the section.
  fileprivate var title: String {
    switch self {
    case .featuredAlbum: "Featured albums"
    case .YHSongs: "Yohan Haze"
    case .TYSongs: "Tess Yarrow"
    case .lofiAlbums: "Lofi to calm down"
    case .happyPopAlbums: "Happy pop"
    }
  }
}

// What is registered for which kind of item.
extension MusicReactor.State {
  private enum Cells {
    static let album = CellToken<Album>("album")
    static let song = CellToken<Song>("song")
  }

  private static let registry: CellRegistry = {
    var cells = CellRegistry()
    cells.register(Cells.album) { album in
      Cell(
        id: "album \(album.id)", title: album.name,
        lines: [album.artist, price(album.price, album.currency)].compactMap(\.self), symbol: "◉")
    }
    cells.register(Cells.song) { song in
      let lines = [[song.artist, song.album].compactMap(\.self).joined(separator: " · ")]
      return Cell(
        id: "song \(song.id)", title: song.name, lines: lines.filter { !$0.isEmpty },
        badge: price(song.price, song.currency).map { Cell.Badge($0) }, symbol: "♪")
    }
    return cells
  }()

  private static func cell(_ item: MusicShelfItem) throws -> Cell {
    switch item.item {
    case .album(let album): try registry.dequeue(Cells.album, for: album)
    case .song(let song): try registry.dequeue(Cells.song, for: song)
    }
  }

  private static func price(_ price: Decimal?, _ currency: String?) -> String? {
    price.map { [$0.description, currency].compactMap(\.self).joined(separator: " ") }
  }
}
