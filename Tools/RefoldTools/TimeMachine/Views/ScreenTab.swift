import EventStoreCore
import Sections

/// The reactor's screen as it was at the position.
final class ScreenTab: TextTab {
  let title = "screen"
  var pane = TextPane()

  func draw(_ moment: Moment, on screen: inout ScreenBuffer, in area: Area, isFocused: Bool) {
    pane.show(Self.lines(moment, width: area.width))
    pane.draw(on: &screen, in: area)
  }

  private static func lines(_ moment: Moment, width: Int) -> [StyledText] {
    guard let state = moment.state, moment.note == nil || state.seq == moment.seq else {
      return [StyledText(moment.note ?? "…", .dim)]
    }
    switch state.screen {
    case .screen(let screen):
      return screen.text(width: width).split(separator: "\n", omittingEmptySubsequences: false)
        .map { StyledText(String($0)) }
    case .failed(let reason): return [StyledText(Printable.line(reason), .dim)]
    case nil: return [StyledText("This state has no screen.", .dim)]
    }
  }
}
