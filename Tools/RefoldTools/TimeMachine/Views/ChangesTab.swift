import EventStoreCore

/// What the step to the position changed, or what changed since the mark.
final class ChangesTab: TextTab {
  let title = "changes"
  var pane = TextPane()

  func draw(_ moment: Moment, on screen: inout ScreenBuffer, in area: Area, isFocused: Bool) {
    pane.show(Self.lines(moment))
    pane.draw(on: &screen, in: area)
  }

  private static func lines(_ moment: Moment) -> [StyledText] {
    guard let changes = moment.changes, changes.to == moment.seq else {
      return [StyledText(moment.note ?? (moment.seq == .zero ? "the initial state" : "…"), .dim)]
    }
    if changes.from == changes.to {
      let isStart = changes.to == .zero
      return [
        StyledText(
          isStart ? "This is the initial state." : "The mark is here: move to see what changes.",
          .dim)
      ]
    }
    let isStep = changes.from == changes.to.previous
    let step =
      isStep ? "by event \(changes.to)" : "from \(changes.from) to \(changes.to)"
    if changes.count == 0 { return [StyledText("Nothing changed \(step).", .dim)] }
    let heading = StyledText("\(Printable.counted(changes.count, "change")) \(step)", .bold)
    let rest = changes.count - changes.listed
    let more = rest > 0 ? [StyledText("… and \(Printable.grouped(rest)) more", .dim)] : []
    return [heading] + changes.lines + more
  }
}
