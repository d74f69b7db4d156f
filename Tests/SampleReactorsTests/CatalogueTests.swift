import Refold
import SampleReactors
import Testing

@Suite("The reactors that come with the tool")
struct CatalogueTests {
  private func entry(_ name: String) throws -> AnyReactor {
    try #require(sampleReactors().first { $0.name == name })
  }

  private func texts(_ name: String) throws -> [String] {
    try entry(name).exampleActions.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func every_reactor_has_a_name_of_its_own_a_line_for_people_and_examples() {
    #expect(
      sampleReactors().map(\.name) == [
        "counter", "editor", "home", "network", "music", "livestream",
      ])
    #expect(sampleReactors().allSatisfy { !$0.summary.isEmpty && !$0.exampleActions.isEmpty })
  }

  @Test func every_example_can_be_sent() throws {
    for bytes in try entry("home").exampleActions {
      _ = try EventCodec().decode(HomeReactor.Action.self, from: bytes)
    }
    #expect(try entry("home").exampleActions.count == 13)
    #expect(try texts("network") == [#"{"fetchData":{}}"#])
    #expect(try texts("music") == [#"{"viewDidLoad":{}}"#])
    #expect(try entry("livestream").exampleActions.count == 5)
    let edit = try #require(try entry("editor").exampleActions.first)
    #expect(String(decoding: edit, as: UTF8.self) == #"{"edit":{"at":0,"delete":0,"insert":"a"}}"#)
  }

  @Test func home_takes_a_user_that_the_catalogue_knows() throws {
    #expect(try entry("home").make(Settings(["user": "u1"])) is HomeReactor)
    let error = #expect(throws: SettingsError.self) {
      try entry("home").make(Settings(["user": "u9"]))
    }
    #expect(
      error.map { "\($0)" }
        == #""u9" is no value for the setting "user": expected one of u1, u2, u3, u4, u5"#)
    #expect(throws: SettingsError.self) { try entry("editor").make(Settings(["user": "u1"])) }
  }

  @Test func livestream_is_told_whether_the_onboarding_was_shown() throws {
    for word in ["shown", "new"] {
      #expect(try entry("livestream").make(Settings(["onboarding": word])) is LivestreamReactor)
    }
    let error = #expect(throws: SettingsError.self) {
      try entry("livestream").make(Settings(["onboarding": "yes"]))
    }
    #expect(
      error.map { "\($0)" }
        == #""yes" is no value for the setting "onboarding": expected shown or new"#)
  }
}
