import EventStoreCore

extension TimeMachineModel {
  /// On a screen with fewer columns, one pane is shown at a time.
  static let twoPanes = 60

  /// The screen as it should be seen, whatever its size.
  func draw(columns: Int, rows: Int) throws -> ScreenBuffer {
    var screen = ScreenBuffer(columns: columns, rows: rows)
    let all = Area(column: 0, row: 0, width: screen.columns, height: screen.rows)
    let hasFoot = all.height >= 3
    let body = all.rows(from: all.height >= 2 ? 1 : 0, all.height - (hasFoot ? 2 : 1))
    drawTitle(on: &screen, in: all.rows(from: 0, 1))
    if all.height >= 2 { try drawBody(on: &screen, in: body) }
    let foot = all.rows(from: all.height - 1, 1)
    if let prompt {
      screen.fill(foot, row: 0)
      prompt.draw(on: &screen, in: foot)
    } else if hasFoot {
      drawFoot(on: &screen, in: foot)
    }
    return screen
  }

  private func drawBody(on screen: inout ScreenBuffer, in area: Area) throws {
    if overlay != nil { return drawOverlay(on: &screen, in: area) }
    hasTwoPanes = area.width >= Self.twoPanes
    guard hasTwoPanes else {
      return isListFocused
        ? try drawList(on: &screen, in: area) : drawTab(on: &screen, in: area)
    }
    let width = min(max(30, area.width * 2 / 5), 72)
    try drawList(on: &screen, in: area.columns(from: 0, width))
    for row in 0..<area.height { screen.draw("│", in: area, at: width, row: row, .dim) }
    drawTab(on: &screen, in: area.columns(from: width + 1))
  }

  private func drawList(on screen: inout ScreenBuffer, in area: Area) throws {
    var area = area
    let head = area.rows(from: 0, 1)
    let hasHead = !window.filter.isAll && area.height >= 2
    if hasHead { area = area.rows(from: 1) }
    let wasIncomplete = window.isIncomplete
    listHeight = max(1, area.height)
    window.startLooking()
    let layout = try EventListLayout(&window, top: top, position: position, height: area.height)
    top = layout.top
    let view = EventListView(
      position: position, mark: mark, bookmarks: bookmarks, began: began, last: window.end,
      pattern: listPattern, isFocused: isListFocused)
    view.draw(layout, on: &screen, in: area)
    if hasHead {
      let isHidden = !layout.lines.contains { $0.seq == position }
      let text = "filter: \(Printable.line(window.filter.text))\(wasIncomplete ? " …" : "")"
      screen.draw(text + (isHidden ? "  hides \(position)" : ""), in: head, .colored(.magenta))
    }
    if window.end == .zero, area.height >= 3 {
      screen.draw("no events yet", in: area, at: 1, row: 2, .dim)
    }
  }

  private func drawTab(on screen: inout ScreenBuffer, in area: Area) {
    let head = area.rows(from: 0, 1)
    var column = 0
    let isTight = area.width < tabs.reduce(0) { $0 + $1.title.count + 4 }
    for (place, tab) in tabs.enumerated() {
      let isShown = place == currentTab
      let title = isTight && !isShown ? " \(place + 1) " : " \(place + 1) \(tab.title) "
      let style = isShown ? (isListFocused ? CellStyle.bold : .bold.reversed) : .dim
      column = screen.draw(title, in: head, at: column, style)
    }
    let note = staleness
    if area.width - column > note.count + 1 {
      screen.draw(note, in: head, at: area.width - note.count - 1, .colored(.magenta))
    }
    tab.draw(moment, on: &screen, in: area.rows(from: 1), isFocused: !isListFocused)
  }

  /// What is not yet as the position says.
  private var staleness: String {
    if let mark { return "since \(mark)" }
    guard let state = moment.state, state.seq != position, moment.note == nil else { return "" }
    return "still at \(state.seq) …"
  }
}

extension TimeMachineModel {
  /// Session, reactor, place and time, in the order of what matters on a narrow screen.
  private func drawTitle(on screen: inout ScreenBuffer, in area: Area) {
    let place = "\(position)/\(window.end)"
    let name = Printable.line(info.name.rawValue)
    let fits = area.width >= DisplayWidth.of(name) + place.count + 4
    var pieces = fits ? [StyledText(" \(name)", .bold)] : []
    if area.width >= 50 { pieces.append(StyledText(" · \(Printable.line(info.reactor))")) }
    pieces.append(StyledText("  \(place)", .bold))
    if isPlaying { pieces.append(StyledText("  ▶ \(playback.speed)x", .bold)) }
    if !isPlaying, playback.speed > 1, area.width >= 50 {
      pieces.append(StyledText("  ‖ \(playback.speed)x"))
    }
    if isLive { pieces.append(StyledText(position == window.end ? "  ● live" : "  ○ live", .bold)) }
    if area.width >= Self.twoPanes, let recordedAt {
      pieces.append(StyledText("  +\(ElapsedTime.text(from: began, to: recordedAt))"))
      pieces.append(StyledText("  \(recordedAt)", .plain))
    }
    screen.draw(pieces, in: area)
    screen.select(area, row: 0)
  }

  private func drawFoot(on screen: inout ScreenBuffer, in area: Area) {
    if let text = message ?? activity {
      screen.draw(Printable.line(text), in: area, .bold)
      return
    }
    var column = 0
    for (keys, effect) in hints {
      let width = DisplayWidth.of(keys) + effect.count + 3
      guard column + width <= area.width + 2 else { break }
      column = screen.draw(keys, in: area, at: column, .bold)
      column = screen.draw(" \(effect)  ", in: area, at: column, .dim)
    }
  }

  /// What goes on, in words.
  private var activity: String? {
    if let search {
      return "looking at event \(Printable.grouped(Int(search.walk.reached.rawValue))) … Esc stops"
    }
    guard let (pointer, isForward) = wantedField else { return nil }
    let field = pointer.isEmpty ? "the state" : pointer
    let place = progress.map { " at \(Printable.grouped(Int($0.at.rawValue)))" } ?? ""
    return "looking \(isForward ? "forward" : "back") for a change of \(field)\(place) … Esc stops"
  }

  /// What to press next, the most useful first.
  private var hints: [(keys: String, effect: String)] {
    switch overlay {
    case .text: return [("j k", "scroll"), ("Esc", "back")]
    case .bookmarks: return [("Enter", "go there"), ("d", "remove"), ("Esc", "back")]
    case nil: break
    }
    if isListFocused {
      return [
        ("?", "keys"), ("j k", "event"), ("l h", "action"), ("Tab", tab.title), (":", "go to"),
        ("/", "search"), ("f", "filter"), ("Space", "play"), ("q", "quit"),
      ]
    }
    return [
      ("?", "keys"), (". ,", "event"), ("j k", "line"), ("Enter", "open"), ("Tab", "events"),
      ("] [", "next, last change"), ("/", "search"), ("q", "quit"),
    ]
  }

  private func drawOverlay(on screen: inout ScreenBuffer, in area: Area) {
    switch overlay {
    case .text(let title, var pane):
      let hasTitle = area.height >= 3
      if hasTitle { screen.draw(title, in: area, .bold) }
      pane.draw(on: &screen, in: area.rows(from: hasTitle ? 1 : 0))
      overlay = .text(title: title, pane)
    case .bookmarks(let selected): drawBookmarks(selected, on: &screen, in: area)
    case nil: break
    }
  }

  private func drawBookmarks(_ selected: Int, on screen: inout ScreenBuffer, in area: Area) {
    let all = bookmarks.sorted()
    if all.isEmpty { screen.draw("No bookmarks. Set one with m.", in: area, .dim) }
    let selected = min(selected, max(0, all.count - 1))
    let first = max(0, selected - area.height + 1)
    for (row, seq) in all[first...].prefix(max(0, area.height)).enumerated() {
      let event = try? window.row(seq)
      let text = event.map { "\($0.name) \($0.details)" } ?? "the initial state"
      let line = " \(Printable.padded("\(seq)", to: "\(window.end)".count, right: true))  "
      let end = screen.draw(line, in: area, row: row)
      screen.draw(String(text.prefix(area.width)), in: area, at: end, row: row)
      if first + row == selected { screen.select(area, row: row) }
    }
  }
}
