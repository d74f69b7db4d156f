import Testing

@Suite("refold screen, of the music shop")
struct MusicScreenTests {
  private let shell: Shell

  init() throws { shell = try Shell() }

  @Test func is_shelves_of_albums_and_lists_of_songs() async throws {
    let run = try await shell.refold(
      "run", "music", "--session", "m", "--emit", "none", input: "\"viewDidLoad\"\n")
    #expect(run.code == 0, "\(run.error)")
    let screen = try await shell.refold("screen", "m", "--width", "72")
    #expect(screen.code == 0, "\(screen.error)")
    try Golden.expect(screen.output, matches: "screen-music.txt")
    let changed = try await shell.refold("diff", "m", "3", "end", "--sections")
    #expect(changed.output.contains("featuredAlbum"), "\(changed.output)\(changed.error)")
  }
}
