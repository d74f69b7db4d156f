import EventStoreCore
import Refold
import SampleReactors
import Testing

@Suite("Music", .timeLimit(.minutes(5)))
struct MusicTests {
  private typealias Music = Recorded<MusicReactor>

  private static let kinds: [MusicSectionKind] = [
    .featuredAlbum, .YHSongs, .TYSongs, .lofiAlbums, .happyPopAlbums,
  ]

  private static let landed = ["setLoading(true)", "setSections", "setLoading(false)"]

  private static func open(_ gate: CallGate<MusicEndpoint>) async throws -> Music {
    try await Music.open(
      MusicReactor(service: EmbeddedMusicService(beforeAnswering: gate.pass)))
  }

  @Test func the_view_is_loading_then_has_five_sections_then_is_not_loading() async throws {
    let music = try await Music.open(MusicReactor())
    try await music.run(.viewDidLoad)
    #expect(
      try await music.log() == [
        "1 action viewDidLoad", "2 mutation(1) setLoading(true)", "3 pending(1)",
        "4 mutation(1) setSections", "5 mutation(1) setLoading(false)", "6 completed(1)",
      ])
    #expect(music.state.sections.map(\.type) == Self.kinds)
    #expect(music.state.sections.allSatisfy { $0.items.count == 5 })
    #expect(!music.state.isLoading)
    #expect(music.state.$errorMessage.count == 0)
  }

  @Test func the_five_requests_are_on_their_way_at_once() async throws {
    let gate = CallGate<MusicEndpoint>()
    let music = try await Self.open(gate)
    try await music.session.send(.viewDidLoad)
    let calls = await gate.next(5)
    #expect(Set(calls.map(\.call)) == Set(MusicEndpoint.allCases))
    #expect(music.state.isLoading)
    for call in calls { call.answer() }
    await music.session.finishEffects()
    #expect(gate.count == 5)
  }

  @Test func the_sections_have_one_order_in_all_120_orders_of_arrival() async throws {
    let direct = try await Music.open(MusicReactor())
    try await direct.run(.viewDidLoad)
    let orders = permutations(of: MusicEndpoint.allCases)
    #expect(Set(orders).count == 120)
    for order in orders {
      let gate = CallGate<MusicEndpoint>()
      let music = try await Self.open(gate)
      let receipt = try await music.session.send(.viewDidLoad)
      let calls = await gate.next(5)
      for endpoint in order { calls.first { $0.call == endpoint }?.answer() }
      _ = await receipt.finished
      #expect(music.state.sections == direct.state.sections, "\(order)")
      #expect(try await music.mutations(of: receipt.seq) == Self.landed, "\(order)")
    }
  }

  @Test(arguments: MusicEndpoint.allCases)
  func a_request_that_fails_cancels_the_others_and_empties_the_screen(
    _ failing: MusicEndpoint
  ) async throws {
    let gate = CallGate<MusicEndpoint>()
    let music = try await Self.open(gate)
    let before = try await music.session.send(.viewDidLoad)
    for call in await gate.next(5) { call.answer() }
    _ = await before.finished
    #expect(music.state.sections.count == 5)

    let receipt = try await music.session.send(.viewDidLoad)
    let calls = await gate.next(5)
    calls.first { $0.call == failing }?.fail(AppError.server(status: 503))
    #expect(await receipt.finished.word == "completed")
    await gate.cancelled(4)
    #expect(Set(gate.cancelled) == Set(MusicEndpoint.allCases).subtracting([failing]))
    #expect(
      try await music.log(from: Int(receipt.seq.rawValue)).map { $0.drop { $0 != " " } } == [
        " action viewDidLoad", " mutation(7) setLoading(true)", " pending(7)",
        " mutation(7) setLoading(false)", " mutation(7) setError", " mutation(7) setSections",
        " completed(7)",
      ])
    #expect(music.state.sections.isEmpty)
    #expect(music.state.errorMessage == "the server failed with status 503. Try again.")
    #expect(!music.state.isLoading)
  }

  @Test func the_session_survives_a_failure_and_the_next_view_loads() async throws {
    let gate = CallGate<MusicEndpoint>()
    let music = try await Self.open(gate)
    for count in 1...2 {
      let failing = try await music.session.send(.viewDidLoad)
      await gate.next(5)[2].fail(AppError.network(reason: "refused"))
      _ = await failing.finished
      #expect(music.state.$errorMessage.count == count)
    }
    let receipt = try await music.session.send(.viewDidLoad)
    for call in await gate.next(5) { call.answer() }
    _ = await receipt.finished
    #expect(try await music.mutations(of: receipt.seq) == Self.landed)
    #expect(music.state.sections.map(\.type) == Self.kinds)
    #expect(music.state.$errorMessage.count == 2)
  }

  @Test(arguments: 0...4)
  func a_second_view_cancels_the_first_at_every_stage(_ answered: Int) async throws {
    let gate = CallGate<MusicEndpoint>()
    let music = try await Self.open(gate)
    let first = try await music.session.send(.viewDidLoad)
    let calls = await gate.next(5)
    for call in calls.prefix(answered) { call.answer() }
    let second = try await music.session.send(.viewDidLoad)
    #expect(await first.finished.word == "cancelled")
    await gate.cancelled(5 - answered)
    for call in await gate.next(5) { call.answer() }
    #expect(await second.finished.word == "completed")
    #expect(try await music.mutations(of: first.seq) == ["setLoading(true)"])
    #expect(try await music.mutations(of: second.seq) == Self.landed)
    #expect(!music.state.isLoading)
  }

  @Test(arguments: 0...4)
  func answers_and_errors_that_come_after_a_second_view_never_land(_ answered: Int) async throws {
    let gate = CallGate<MusicEndpoint>(heedsCancellation: false)
    let music = try await Self.open(gate)
    let first = try await music.session.send(.viewDidLoad)
    let calls = await gate.next(5)
    for call in calls.prefix(answered) { call.answer() }
    let second = try await music.session.send(.viewDidLoad)
    for call in calls.dropFirst(answered).dropLast() { call.answer() }
    calls.last?.fail(AppError.server(status: 500))
    for call in await gate.next(5) { call.answer() }
    _ = await (first.finished, second.finished)
    #expect(try await music.mutations(of: first.seq) == ["setLoading(true)"])
    #expect(try await music.mutations(of: second.seq) == Self.landed)
    #expect(music.state.$errorMessage.count == 0)
  }

  @Test func a_view_after_the_first_was_done_loads_again() async throws {
    let music = try await Music.open(MusicReactor())
    try await music.run(.viewDidLoad)
    let sections = music.state.sections
    try await music.run(.viewDidLoad)
    #expect(try await music.mutations(of: 7) == Self.landed)
    #expect(music.state.sections == sections)
  }

  @Test func what_was_not_asked_for_and_what_comes_twice_is_left_out() async throws {
    let album = MusicItem.album(Album(id: 1, name: "Kpop", artist: "Nine Lanterns", genre: "KPop"))
    let song = MusicItem.song(Song(id: 1, name: "Kpop", artist: "Nine Lanterns"))
    let music = try await Music.open(
      MusicReactor(service: SameItems(items: [album, song, album])))
    try await music.run(.viewDidLoad)
    #expect(
      music.state.sections.map { $0.items.map(\.item) } == [
        [album], [song], [song], [album], [album],
      ])
  }

  @Test func a_shop_that_answers_with_more_than_was_asked_for_fills_no_more_than_that() async throws
  {
    let albums = (1...9).map { MusicItem.album(Album(id: $0, name: "Album \($0)")) }
    let music = try await Music.open(MusicReactor(service: SameItems(items: albums)))
    try await music.run(.viewDidLoad)
    #expect(music.state.sections[0].items.map(\.item) == Array(albums.prefix(5)))
  }

  private struct SameItems: MusicService {
    let items: [MusicItem]
    func items(of endpoint: MusicEndpoint) async throws -> [MusicItem] { items }
  }

  @Test func a_state_comes_back_from_its_JSON() async throws {
    let music = try await Music.open(MusicReactor())
    try await music.run(.viewDidLoad)
    let bytes = try EventCodec().encode(music.state)
    #expect(try EventCodec().decode(MusicReactor.State.self, from: bytes) == music.state)
  }

  @Test func the_catalogue_sells_everything_once() {
    #expect(Set(MusicCatalogue.items.map(\.id)).count == MusicCatalogue.items.count)
    for endpoint in MusicEndpoint.allCases {
      #expect(endpoint.search.found(in: MusicCatalogue.items).count == 5, "\(endpoint)")
    }
    let none = MusicSearch(term: "kpop", entity: .album, limit: -1)
    #expect(none.found(in: MusicCatalogue.items).isEmpty)
  }
}

/// Every order of `elements`.
private func permutations<Element>(of elements: [Element]) -> [[Element]] {
  guard !elements.isEmpty else { return [[]] }
  return elements.indices.flatMap { index in
    var rest = elements
    let first = rest.remove(at: index)
    return permutations(of: rest).map { [first] + $0 }
  }
}
