import Refold
import SampleReactors
import Testing

@Suite("Music: Input and Output over a session", .timeLimit(.minutes(5)))
struct HomeViewModelTests {
  private typealias Music = Recorded<MusicReactor>

  /// A view and what it sees.
  private struct Screen {
    let gate: CallGate<MusicEndpoint>
    let music: Music
    let model: HomeViewModel
    let load: AsyncStream<Void>.Continuation
    let output: HomeViewModel.Output

    static func open() async throws -> Screen {
      let gate = CallGate<MusicEndpoint>()
      let music = try await Music.open(
        MusicReactor(service: EmbeddedMusicService(beforeAnswering: gate.pass)))
      let (stream, load) = AsyncStream.makeStream(of: Void.self)
      let model = HomeViewModel(music.session)
      let output = model.transform(input: HomeViewModel.Input(viewDidLoad: stream))
      return Screen(gate: gate, music: music, model: model, load: load, output: output)
    }

    /// Loads the view, and answers all that it asks for.
    func show() async {
      load.yield()
      for call in await gate.next(5) { call.answer() }
      await music.session.finishEffects()
    }

    /// Loads the view, and lets one of its requests fail.
    func fail(_ error: AppError) async {
      load.yield()
      await gate.next(5)[0].fail(error)
      await music.session.finishEffects()
    }
  }

  @Test func an_event_of_the_view_is_an_action_of_the_session() async throws {
    let screen = try await Screen.open()
    await screen.show()
    #expect(try await screen.music.log().first == "1 action viewDidLoad")
    #expect(screen.music.state.sections.count == 5)
  }

  @Test func sections_are_a_driver_whoever_comes_late_gets_the_latest() async throws {
    let screen = try await Screen.open()
    var early = screen.output.sections.makeAsyncIterator()
    #expect(await early.next() == [])
    await screen.show()
    #expect(await early.next()?.count == 5)
    var late = screen.output.sections.makeAsyncIterator()
    #expect(await late.next() == screen.music.state.sections)
  }

  @Test func loading_is_a_driver_that_tells_of_changes_alone() async throws {
    let screen = try await Screen.open()
    var loading = screen.output.isLoading.makeAsyncIterator()
    #expect(await loading.next() == false)
    screen.load.yield()
    #expect(await loading.next() == true)
    for call in await screen.gate.next(5) { call.answer() }
    #expect(await loading.next() == false)
    try await screen.music.session.close()
    #expect(await loading.next() == nil)
  }

  @Test func a_message_is_a_signal_that_whoever_comes_late_does_not_get() async throws {
    let screen = try await Screen.open()
    var early = screen.output.errorMessage.makeAsyncIterator()
    await screen.fail(.server(status: 500))
    #expect(await early.next() == "the server failed with status 500. Try again.")

    var late = screen.output.errorMessage.makeAsyncIterator()
    await screen.fail(.server(status: 503))
    #expect(await late.next() == "the server failed with status 503. Try again.")
    #expect(await early.next() == "the server failed with status 503. Try again.")
  }

  @Test func the_same_message_twice_is_told_twice() async throws {
    let screen = try await Screen.open()
    var messages = screen.output.errorMessage.makeAsyncIterator()
    for _ in 1...2 {
      await screen.fail(.server(status: 500))
      #expect(await messages.next() == "the server failed with status 500. Try again.")
    }
  }

  @Test func the_outputs_survive_a_failure() async throws {
    let screen = try await Screen.open()
    await screen.fail(.network(reason: "refused"))
    await screen.show()
    var sections = screen.output.sections.makeAsyncIterator()
    #expect(await sections.next()?.count == 5)
  }

  @Test func two_parts_of_a_view_each_get_every_message() async throws {
    let screen = try await Screen.open()
    var (banner, log) = (
      screen.output.errorMessage.makeAsyncIterator(), screen.output.errorMessage.makeAsyncIterator()
    )
    await screen.fail(.server(status: 500))
    #expect(await banner.next() != nil)
    #expect(await log.next() != nil)
  }

  @Test func a_released_model_carries_nothing_more() async throws {
    let music = try await Music.open(MusicReactor())
    let (stream, load) = AsyncStream.makeStream(of: Void.self)
    let ended = AsyncStream.makeStream(of: Void.self)
    load.onTermination = { _ in ended.continuation.yield() }
    do {
      let model = HomeViewModel(music.session)
      _ = model.transform(input: HomeViewModel.Input(viewDidLoad: stream))
    }
    var ends = ended.stream.makeAsyncIterator()
    _ = await ends.next()
    load.yield()
    await music.session.finishEffects()
    #expect(try music.events().isEmpty)
  }
}
