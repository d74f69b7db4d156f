/// What states look like on their screens: where a page gets its tab Screen from.
struct PageScreens<State>: Sendable {
  /// The style sheet of every screen.
  let style: String
  /// The screen of a state: markup without scripts, to be shown in a frame that runs none.
  let markup: @Sendable (State) throws -> String
}
