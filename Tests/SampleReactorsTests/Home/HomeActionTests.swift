import Refold
import SampleReactors
import Testing

@Suite("Home: the floating button, the banner and sign-in", .timeLimit(.minutes(5)))
struct HomeActionTests {
  @Test(
    arguments: [
      (.confirmLogin, ["setLoginConfirmed"]), (.tapTop10Banner, ["setShowTop10"]),
      (.refreshFABVisibility, ["setFABVisible"]), (.tapFAB, []),
      (.dismissFABMenu, []), (.tapCreatePost, ["setNeedsLogin"]),
      (.tapRegisterInfluencer, ["setNeedsLogin"]),
    ] as [(HomeReactor.Action, [String])])
  func an_action_of_somebody_logged_out(
    action: HomeReactor.Action, mutations: [String]
  ) async throws {
    let home = try await Home.open()
    try await home.run(action)
    let expected = mutations.enumerated().map { "\($0 + 2) mutation(1) \($1)" }
    #expect(try await Array(home.log().dropFirst()) == expected)
  }

  @Test(
    arguments: [
      (.tapCreatePost, ["setCreatePostOpen"]),
      (.tapRegisterInfluencer, ["setRegisterInfluencerOpen"]),
    ] as [(HomeReactor.Action, [String])])
  func an_action_of_somebody_signed_in(
    action: HomeReactor.Action, mutations: [String]
  ) async throws {
    let home = try await Home.open(user: .mina)
    try await home.run(action)
    let expected = mutations.enumerated().map { "\($0 + 3) mutation(2) \($1)" }
    #expect(try await Array(home.log().dropFirst(2)) == expected)
  }

  @Test func the_floating_button_is_there_for_whoever_is_signed_in() async throws {
    let home = try await Home.open(user: .mina)
    try await home.run(.refreshFABVisibility)
    #expect(home.state.isFABVisible)
    try await home.run(.tapFAB)
    #expect(home.state.isFABMenuOpen)
    home.users.clear()
    try await home.run(.refreshFABVisibility)
    #expect(!home.state.isFABVisible)
    #expect(!home.state.isFABMenuOpen)
  }

  @Test func the_menu_of_a_button_that_is_not_on_screen_stays_closed() async throws {
    let home = try await Home.open(user: .mina)
    try await home.run(.tapFAB)
    #expect(!home.state.isFABMenuOpen)
    #expect(try await home.log().last == "2 action tapFAB")
    try await home.run(.refreshFABVisibility)
    try await home.run(.tapFAB)
    #expect(home.state.isFABMenuOpen)
  }

  @Test func the_menu_opens_and_closes() async throws {
    let home = try await Home.open(user: .mina)
    try await home.run(.refreshFABVisibility)
    try await home.run(.tapFAB)
    try await home.run(.tapFAB)
    #expect(!home.state.isFABMenuOpen)
    try await home.run(.tapFAB)
    try await home.run(.dismissFABMenu)
    #expect(!home.state.isFABMenuOpen)
    try await home.run(.tapFAB)
    try await home.run(.tapCreatePost)
    #expect(!home.state.isFABMenuOpen)
  }

  @Test func every_pulse_counts() async throws {
    let home = try await Home.open(user: .mina)
    for _ in 0..<2 {
      for action in [
        HomeReactor.Action.confirmLogin, .tapTop10Banner, .tapCreatePost, .tapRegisterInfluencer,
      ] {
        try await home.run(action)
      }
    }
    let state = home.state
    let pulses = [
      state.$loginConfirmed, state.$showTop10, state.$openCreatePost, state.$openRegisterInfluencer,
    ]
    #expect(pulses.allSatisfy { $0.wrappedValue && $0.count == 2 })
    #expect(state.$needsLogin.count == 0)
  }
}
