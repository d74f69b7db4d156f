import Foundation
import FoundationNetworking
import MarketServer
import Refold
import SampleHTTP
import SampleReactors
import Testing

@Suite("Music over HTTP", .timeLimit(.minutes(5)))
struct MusicOverHTTPTests {
  private let server: SampleServer

  init() throws { server = try SampleServer.start() }

  private static let landed = ["setLoading(true)", "setSections", "setLoading(false)"]
  private static let failed = [
    "setLoading(true)", "setLoading(false)", "setError", "setSections",
  ]

  private func service(_ origin: SampleOrigin) -> any MusicService {
    switch origin {
    case .embedded: EmbeddedMusicService()
    case .http: server.services.music(at: server.url)
    }
  }

  private func open(_ origin: SampleOrigin = .http) async throws -> SampleSession<MusicReactor> {
    try await .open(MusicReactor(service: service(origin)))
  }

  @Test(arguments: SampleOrigin.allCases)
  func the_five_sections_are_the_same_from_everywhere(_ origin: SampleOrigin) async throws {
    let music = try await open(origin)
    #expect(try await music.run(.viewDidLoad) == Self.landed)
    #expect(
      music.state.sections.map(\.type) == [
        .featuredAlbum, .YHSongs, .TYSongs, .lofiAlbums, .happyPopAlbums,
      ])
    for (endpoint, section) in zip(MusicEndpoint.allCases, music.state.sections) {
      #expect(
        section.items.map(\.item) == endpoint.search.found(in: MusicCatalogue.items), "\(endpoint)")
    }
  }

  @Test func each_request_is_a_search_of_the_shop() async throws {
    try await open().run(.viewDidLoad)
    let targets = Set(server.server.requests.map(\.request.target))
    #expect(
      targets == [
        "/search?term=kpop&entity=album&limit=5", "/search?term=yohan%20haze&entity=song&limit=5",
        "/search?term=tess%20yarrow&entity=song&limit=5",
        "/search?term=lofi%20chill&entity=album&limit=5",
        "/search?term=happy%20pop&entity=album&limit=5",
      ])
  }

  @Test(arguments: Trouble.all + [Trouble("HTML", .notJSON, isExpected: Trouble.isUndecodable)])
  func one_failure_of_five_is_told_and_the_session_survives(_ trouble: Trouble) async throws {
    server.server.fail("GET /search", with: trouble.fault)
    let music = try await open()
    #expect(try await music.run(.viewDidLoad) == Self.failed)
    #expect(music.state.errorMessage != nil)
    #expect(music.state.sections.isEmpty)
    server.server.clearFaults()
    #expect(try await music.run(.viewDidLoad) == Self.landed)
    #expect(music.state.sections.count == 5)
  }

  @Test(arguments: Trouble.all)
  func what_went_wrong_is_the_same_error_for_every_service(_ trouble: Trouble) async throws {
    server.server.fail("GET /search", with: trouble.fault)
    let error = await #expect(throws: AppError.self) {
      try await service(.http).items(of: .kpopAlbums)
    }
    #expect(error.map(trouble.isExpected) == true, "\(String(describing: error))")
  }

  @Test func one_failure_closes_the_connections_of_the_other_four() async throws {
    // The first four to come wait for ever, the fifth fails.
    server.server.fail("GET /search", with: .held(try AnswerGate()), times: 4)
    server.server.fail("GET /search", with: .status(500))
    let music = try await open()
    #expect(try await music.run(.viewDidLoad) == Self.failed)
    for _ in 1...4 {
      let request = await server.server.next("GET /search")
      #expect(await server.server.end(of: request) == .closedByClient)
    }
    let last = await server.server.next("GET /search")
    #expect(await server.server.end(of: last) == .answered(500))
  }

  @Test func a_second_view_closes_the_connections_of_the_first() async throws {
    server.server.fail("GET /search", with: .held(try AnswerGate()), times: 5)
    let music = try await open()
    let first = try await music.session.send(.viewDidLoad)
    var held: [LoggedRequest] = []
    while held.count < 5 { held.append(await server.server.next("GET /search")) }
    #expect(try await music.run(.viewDidLoad) == Self.landed)
    for request in held { #expect(await server.server.end(of: request) == .closedByClient) }
    #expect(try music.mutations(of: first) == ["setLoading(true)"])
  }

  @Test func an_address_that_leads_past_the_shop_is_asked_about_not_called_gone() async throws {
    let url = try #require(URL(string: server.server.url + "/v1"))
    let error = await #expect(throws: AppError.self) {
      try await server.services.music(at: url).items(of: .kpopAlbums)
    }
    #expect(error == .noRoute(path: "/v1/search"))
    #expect(error?.strategy == .developerError)
  }

  @Test func an_odd_item_in_an_answer_costs_only_itself() async throws {
    let body = #"""
      {"resultCount":3,"results":[null,{"wrapperType":"artist","artistName":"Nobody"},
      {"wrapperType":"collection","collectionType":"Album","collectionId":7,
      "collectionName":"Kept","collectionPrice":-1.0,"artworkUrl100":"","releaseDate":null}]}
      """#
    server.server.fail("GET /search", with: .body(Array(body.utf8), type: "text/javascript"))
    #expect(
      try await service(.http).items(of: .kpopAlbums) == [.album(Album(id: 7, name: "Kept"))])
  }

  @Test(arguments: [
    "/search", "/search?term=", "/search?term=a&entity=film",
    "/search?term=a&limit=0", "/search?term=a&limit=201", "/search?term=a&limit=x",
  ])
  func the_shop_refuses_what_it_does_not_understand(_ target: String) async throws {
    let url = try #require(URL(string: server.server.url + target))
    let (_, response) = try await URLSession.shared.data(from: url)
    #expect((response as? HTTPURLResponse)?.statusCode == 400)
  }
}
