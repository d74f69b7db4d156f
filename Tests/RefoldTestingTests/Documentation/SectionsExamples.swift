import Foundation
import Refold
import Sections
import Testing

/// The Swift code of docs/Sections.md.
enum SectionsExamples {
  struct Track: Identifiable, Codable, Equatable, Sendable {
    let id: Int
    var title: String
    var artist: String
    var plays = 0
  }

  struct ListeningState: Codable, Sendable {
    var isLoading = false
    var charts: [Track] = []
    var calm: [Track] = []
    @Pulse var alert: String?
  }

  enum Shelf: String, CustomStringConvertible, Codable, Sendable {
    case charts, calm

    var description: String { rawValue }
  }

  struct ShelfItem: Identifiable, Equatable, CustomStringConvertible, Sendable {
    let shelf: Shelf
    let track: Track

    /// A track may stand on two shelves, so it is not enough to say which track it is.
    var id: String { "\(shelf) \(track.id)" }
    var description: String { "\(track.title), \(track.plays) plays" }
  }

  enum Cells {
    static let track = CellToken<Track>("track")
    static let tip = CellToken<String>("tip")

    static let registry: CellRegistry = {
      var cells = CellRegistry()
      cells.register(Cells.track) { track in
        Cell(
          id: "\(track.id)", title: track.title, lines: [track.artist],
          badge: Cell.Badge("\(track.plays)"), symbol: "♪")
      }
      return cells
    }()
  }
}

extension SectionsExamples.ListeningState: SectionsPresenting {
  typealias Shelf = SectionsExamples.Shelf
  typealias ShelfItem = SectionsExamples.ShelfItem
  typealias Cells = SectionsExamples.Cells

  var sections: [SectionModel<Shelf, ShelfItem>] {
    [
      SectionModel(id: .charts, items: charts.map { ShelfItem(shelf: .charts, track: $0) }),
      SectionModel(id: .calm, items: calm.map { ShelfItem(shelf: .calm, track: $0) }),
    ]
  }
}

extension SectionsExamples.ListeningState: ScreenPresenting {
  func screen() throws -> Screen {
    Screen(
      title: "Listening", notices: isLoading ? [Notice(.progress, "Loading")] : [],
      sections: try ScreenSection.list(
        sections, layout: CompositionalLayout { _ in .shelf },
        title: { $0.id == .charts ? "Charts" : "To calm down" },
        footer: { $0.items.isEmpty ? "Nothing here yet" : nil }
      ) { try Cells.registry.dequeue(Cells.track, for: $0.track) })
  }

  func screen(since earlier: Self) throws -> Screen {
    var screen = try screen()
    if $alert.count != earlier.$alert.count, let alert {
      screen.notices.insert(Notice(.error, alert), at: 0)
    }
    return screen
  }
}

@Suite("The examples of docs/Sections.md")
struct SectionsExampleTests {
  typealias State = SectionsExamples.ListeningState
  typealias Track = SectionsExamples.Track

  /// A view that keeps what it shows, as a table or a collection view does.
  private struct View {
    var shown: [SectionModel<SectionsExamples.Shelf, SectionsExamples.ShelfItem>] = []

    mutating func perform(
      _ changeset: Changeset<SectionsExamples.Shelf, SectionsExamples.ShelfItem>
    ) throws {
      shown = try changeset.applied(to: shown)
      #expect(shown == changeset.finalSections)
    }
  }

  private let state: State = {
    var state = State()
    state.charts = [
      Track(id: 1, title: "Up", artist: "A"), Track(id: 2, title: "Down", artist: "B"),
    ]
    state.calm = [Track(id: 2, title: "Down", artist: "B")]
    return state
  }()

  @Test func a_view_follows_step_by_step() throws {
    var state = self.state
    var view = View(shown: state.sections)
    state.charts.swapAt(0, 1)
    state.charts[0].plays = 7
    for changeset in try Changeset.diff(from: view.shown, to: state.sections) {
      try view.perform(changeset)  // now it shows changeset.finalSections
    }
    #expect(view.shown == state.sections)
  }

  @Test func a_track_on_two_shelves_is_two_items() throws {
    #expect(try Changeset.diff(from: [], to: state.sections).count == 1)
  }

  @Test func a_token_without_a_renderer_is_an_error() {
    let error = #expect(throws: SectionsError.self) {
      try SectionsExamples.Cells.registry.dequeue(SectionsExamples.Cells.tip, for: "x")
    }
    #expect(
      error?.description
        == "nothing is registered for \"tip\" for String. Registered: \"track\" for Track. "
        + "Call register first.")
  }

  @Test func a_screen_is_drawn_as_text_and_as_a_page() throws {
    let screen = try state.screen()
    let text = screen.text(width: 72)
    let page = screen.htmlPage(caption: "as of noon")
    #expect(text.hasPrefix("Listening\n\nCharts\n╭──"))
    #expect(page.contains("<h2>To calm down</h2>"))
  }

  @Test func a_layout_is_asked_for_each_section() throws {
    let layout = CompositionalLayout([.chips, .list])
    #expect(try layout.layout(at: 0) == .chips)
    #expect(try layout.layout(at: 1) == .list)
    #expect(throws: SectionsError.self) { try layout.layout(at: 2) }
  }

  @Test func news_are_there_once() throws {
    var later = state
    later.alert = "no network"
    #expect(try later.screen(since: state).notices == [Notice(.error, "no network")])
    #expect(try later.screen(since: later).notices.isEmpty)
  }
}
