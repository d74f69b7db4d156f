import EventStoreCore

/// What is known of the position that is shown.
struct Moment {
  /// The position.
  var seq: Seq
  /// The event there, nil at the start.
  var event: Event?
  /// The state, once it is folded; of an earlier position for as long as this one's is not there.
  var state: ShownState?
  /// What changed since the position before, or since the mark.
  var changes: ChangeList?
  /// Why there is no state, or how far it is.
  var note: String?
}

/// One of the tabs beside the list of events.
///
/// A tab is shown by being in the screen's list. It belongs to the screen's thread, is told the
/// moment before it is drawn, and draws nothing but what is seen.
protocol TimeMachineTab: AnyObject {
  /// A word.
  var title: String { get }
  /// The place in the state that is selected, if this tab knows one.
  var selectedPointer: String? { get }

  /// Draws `moment`.
  func draw(_ moment: Moment, on screen: inout ScreenBuffer, in area: Area, isFocused: Bool)
  /// Acts on a key while the tab has the focus.
  /// - Returns: whether it means something here.
  func press(_ key: Key) -> TabAnswer
  /// Goes to what matches `pattern`, from where the tab is, and highlights it from then on.
  /// - Returns: whether there is such a place.
  func find(_ pattern: SearchPattern, forward: Bool) -> Bool
  /// Highlights nothing any more.
  func forgetSearch()
}

/// What a tab says to a key.
enum TabAnswer {
  case unknown
  case done
  /// Show this text on all of the screen.
  case show(title: String, lines: [StyledText])
}

extension TimeMachineTab {
  var selectedPointer: String? { nil }
}

/// A tab that is lines of text.
protocol TextTab: TimeMachineTab {
  /// Where they are shown.
  var pane: TextPane { get set }
}

extension TextTab {
  func press(_ key: Key) -> TabAnswer { pane.press(key) ? .done : .unknown }

  func find(_ pattern: SearchPattern, forward: Bool) -> Bool {
    pane.find(pattern, forward: forward)
  }

  func forgetSearch() { pane.forgetSearch() }
}
