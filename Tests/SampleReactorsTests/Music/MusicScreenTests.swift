import Refold
import SampleReactors
import Sections
import Testing

@Suite("Music: the screen")
struct MusicScreenTests {
  private let reactor = MusicReactor()

  private func state(_ mutations: MusicReactor.Mutation...) -> MusicReactor.State {
    var state = reactor.initialState
    for mutation in mutations { reactor.reduce(state: &state, mutation: mutation) }
    return state
  }

  private let album = MusicItem.album(Album(id: 7, name: "Tides", artist: "Low Tide Club"))

  private func section(_ kind: MusicSectionKind, _ items: MusicItem...) -> MusicSection {
    MusicSection(id: kind, items: items.map { MusicShelfItem(shelf: kind, item: $0) })
  }

  @Test func albums_stand_on_shelves_and_songs_in_lists() throws {
    let screen = try state(.setSections(MusicSectionKind.allCases.map { section($0) })).screen()
    #expect(screen.sections.map(\.layout) == [.shelf, .list, .list, .shelf, .shelf])
    #expect(screen.sections.allSatisfy { $0.footer == "Nothing here yet" })
  }

  @Test func an_album_in_two_sections_is_two_items() throws {
    let before = [section(.featuredAlbum, album), section(.lofiAlbums)]
    let after = [section(.featuredAlbum, album), section(.lofiAlbums, album)]
    let changes = try Changeset.diff(from: before, to: after)
    #expect(changes.count == 1)
    #expect(changes.first?.insertedItems.map(\.path) == [ItemPath(section: 1, item: 0)])
    #expect(after[1].items[0].id.description == "lofiAlbums/album 7")
  }

  @Test func a_price_and_whatever_is_known_stands_in_a_cell() throws {
    let known = MusicItem.song(
      Song(id: 1, name: "a", artist: "b", album: "c", price: 1, currency: "USD"))
    let unknown = MusicItem.song(Song(id: 2, name: "d"))
    let screen = try state(
      .setSections([section(.featuredAlbum), section(.YHSongs, known, unknown)])
    )
    .screen()
    #expect(screen.sections[1].cells.map(\.lines) == [["b · c"], []])
    #expect(screen.sections[1].cells.map(\.badge?.text) == ["1 USD", nil])
  }

  @Test func a_message_is_on_screen_once() throws {
    let before = state(.setLoading(true))
    #expect(try before.screen().notices == [Notice(.progress, "Loading")])
    let after = state(.setLoading(false), .setError(.server(status: 500)), .setSections([]))
    #expect(
      try after.screen(since: before).notices == [
        Notice(.error, "the server failed with status 500. Try again.")
      ])
    #expect(try after.screen(since: after).notices.isEmpty)
  }
}
