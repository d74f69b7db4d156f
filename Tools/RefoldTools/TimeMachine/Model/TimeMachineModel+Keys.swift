import EventStoreCore

extension TimeMachineModel {
  /// Acts on a key.
  func press(_ key: Key) throws {
    message = nil
    switch key {
    case .control("c"):
      wish = .interrupt
      return
    case .control("z"):
      wish = .suspend
      return
    case .control("l"):
      wish = .redraw
      return
    default: break
    }
    if prompt != nil { return try pressInPrompt(key) }
    if overlay != nil { return try pressInOverlay(key) }
    if try pressAnywhere(key) { return }
    if isListFocused {
      try pressInList(key)
    } else {
      switch tab.press(key) {
      case .done, .unknown: break
      case .show(let title, let lines): show(lines, title: title)
      }
    }
  }

  private func show(_ lines: [StyledText], title: String) {
    var pane = TextPane()
    pane.show(lines)
    overlay = .text(title: title, pane)
  }

  /// Keys that mean the same wherever the focus is.
  private func pressAnywhere(_ key: Key) throws -> Bool {
    if try pressForTime(key) { return true }
    switch key {
    case .character("q"): wish = .quit
    case .character("?"): show(KeyHelp.lines, title: "keys")
    case .tab, .backTab: isListFocused.toggle()
    case .character("0"): selectTab((currentTab + 1) % tabs.count)
    case .character(let digit) where digit.isASCII && digit.isNumber:
      guard let place = digit.wholeNumberValue, tabs.indices.contains(place - 1) else {
        return false
      }
      selectTab(place - 1)
    case .character("/"): prompt = Prompt(isListFocused ? .searchEvents : .searchState)
    case .character("f"): prompt = Prompt(.filter, text: window.filter.text)
    case .character("m"): toggleBookmark()
    case .character("'"): overlay = .bookmarks(selected: 0)
    case .character("v"):
      mark = mark == nil ? position : nil
      ask()
    case .character("e"): startExport()
    case .character("b"): startFork()
    case .escape: forget()
    default: return false
    }
    return true
  }

  private func pressForTime(_ key: Key) throws -> Bool {
    switch key {
    case .character("."): try step(forward: true)
    case .character(","): try step(forward: false)
    case .character(">"): try stepAction(forward: true)
    case .character("<"): try stepAction(forward: false)
    case .character("]"): findChange(forward: true)
    case .character("["): findChange(forward: false)
    case .character("n"): try findHit(forward: true)
    case .character("N"): try findHit(forward: false)
    case .character(":"): prompt = Prompt(.jump)
    case .character(" "): togglePlay()
    case .character("+"), .character("="): playback.accelerate()
    case .character("-"): playback.slowDown()
    case .character("F"): try toggleLive()
    default: return false
    }
    return true
  }

  private func pressInList(_ key: Key) throws {
    switch key {
    case .down, .character("j"): try step(forward: true)
    case .up, .character("k"): try step(forward: false)
    case .right, .character("l"): try stepAction(forward: true)
    case .left, .character("h"): try stepAction(forward: false)
    case .pageDown, .control("d"), .control("f"): try page(forward: true)
    case .pageUp, .control("u"), .control("b"): try page(forward: false)
    case .home, .character("g"): try go(to: window.start)
    case .end, .character("G"):
      if !isBounded { try lookForNewEvents() }
      try go(to: window.end)
    case .enter: isListFocused = false
    default: break
    }
  }

  private func page(forward: Bool) throws {
    let size = max(1, listHeight - 1)
    if forward {
      try window.rows(after: position, size).last.map { try go(to: $0.seq) }
    } else {
      let rows = try window.rows(through: position, size + 1)
      try go(to: rows.count > size ? rows.first?.seq ?? window.start : window.start)
    }
  }

  private func selectTab(_ place: Int) {
    currentTab = place
    // Where only one pane is seen, it is this one now.
    if !hasTwoPanes { isListFocused = false }
  }

  private func toggleBookmark() {
    if bookmarks.remove(position) != nil {
      message = "Bookmark removed."
      return
    }
    bookmarks.insert(position)
    message = "Bookmark at \(position). List them with '"
  }

  /// Esc: whatever marks, highlights and goes on is over.
  private func forget() {
    if search != nil || wantedField != nil {
      worker?.stopFinding()
      (search, wantedField, progress) = (nil, nil, nil)
      message = "Stopped looking."
      return
    }
    (isPlaying, listPattern, tabPattern) = (false, nil, nil)
    for tab in tabs { tab.forgetSearch() }
    if mark != nil {
      mark = nil
      ask()
    }
  }
}

extension TimeMachineModel {
  private func pressInOverlay(_ key: Key) throws {
    switch (overlay, key) {
    case (_, .escape), (_, .character("q")): overlay = nil
    case (.text(let title, var pane), _):
      if key == .enter || key == .character("?") {
        overlay = nil
        return
      }
      _ = pane.press(key)
      overlay = .text(title: title, pane)
    case (.bookmarks(let selected), _): try pressInBookmarks(key, selected)
    case (nil, _): break
    }
  }

  private func pressInBookmarks(_ key: Key, _ selected: Int) throws {
    let all = bookmarks.sorted()
    let selected = min(selected, max(0, all.count - 1))
    switch key {
    case .down, .character("j"): overlay = .bookmarks(selected: min(selected + 1, all.count - 1))
    case .up, .character("k"): overlay = .bookmarks(selected: max(0, selected - 1))
    case .character("d"), .delete:
      if all.indices.contains(selected) { bookmarks.remove(all[selected]) }
    case .enter:
      overlay = nil
      if all.indices.contains(selected) { try go(to: all[selected]) }
    case .character("'"): overlay = nil
    default: break
    }
  }
}
