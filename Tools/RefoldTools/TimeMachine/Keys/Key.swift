/// What a person pressed.
enum Key: Hashable, Sendable {
  /// A character as it was typed, or a space.
  case character(Character)
  /// Control and a letter: `a` for Ctrl-A.
  case control(Character)
  case up
  case down
  case left
  case right
  case home
  case end
  case pageUp
  case pageDown
  case enter
  case tab
  case backTab
  case backspace
  case delete
  case escape
  /// Text that was pasted in one piece.
  case paste(String)
  /// A key that nothing here is bound to.
  case other
}
