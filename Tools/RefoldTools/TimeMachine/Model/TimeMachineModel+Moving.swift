import EventStoreCore

extension TimeMachineModel {
  /// Shows the position `seq`, or the nearest one that there is.
  func go(to seq: Seq) throws {
    let seq = min(max(seq, window.start), window.end)
    try bringIntoView(seq)
    moment.seq = seq
    moment.event = try event(seq)
    recordedAt = moment.event?.header.recordedAt
    if moment.changes?.to != seq { moment.changes = nil }
    progress = nil
    ask()
  }

  /// Asks for the state at the position, and for what changed.
  func ask() {
    moment.note = nil
    guard let worker else {
      moment.note =
        "Reactor \(Printable.line(info.reactor)) is not linked into this tool, so there "
        + "is no State to show."
      return
    }
    wantedField = nil
    worker.show(StateRequest.Position(seq: position, from: mark ?? position.previous))
  }

  /// One event on or back, of those that are listed.
  func step(forward: Bool) throws {
    if case .step(actions: false)? = search?.errand, search?.walk.isForward == forward {
      search?.walk.add(1)
      return
    }
    window.startLooking()
    let rows =
      forward
      ? try window.rows(after: position, 1) : try window.rows(through: position.previous, 1)
    if let row = rows.first, forward || row.seq < position { return try go(to: row.seq) }
    if window.isIncomplete {
      return try walk(.step(actions: false), .filter(window.filter), forward: forward)
    }
    if forward {
      message = "This is the last event\(window.filter.isAll ? "" : " listed")."
      return
    }
    try go(to: window.start)
  }

  /// One action on or back.
  func stepAction(forward: Bool) throws {
    if case .step(actions: true)? = search?.errand, search?.walk.isForward == forward {
      search?.walk.add(1)
      return
    }
    try walk(.step(actions: true), .filter(EventFilter("action")), forward: forward)
  }

  /// The next hit of the search, or the one before.
  func findHit(forward: Bool) throws {
    guard isListFocused else { return findInTab(forward: forward) }
    guard let listPattern else {
      message = "Search for something first: /"
      return
    }
    try walk(
      .hit(listPattern), .pattern(listPattern, window.filter), forward: forward)
  }

  private func findInTab(forward: Bool) {
    guard let tabPattern else {
      message = "Search for something first: /"
      return
    }
    if !tab.find(tabPattern, forward: forward) {
      message = "\"\(Printable.line(tabPattern.text))\" is not \(forward ? "below" : "above")."
    }
  }

  private func walk(_ errand: Errand, _ goal: EventSearch.Goal, forward: Bool) throws {
    let walk = EventSearch(
      goal, from: position, forward: forward, after: window.start, through: window.end)
    search = (errand, walk)
    // What is near is found before the key's screen is drawn.
    for _ in 0..<3 where search != nil { try advanceSearch() }
  }

  /// Looks at some more events for what is searched for.
  func advanceSearch() throws {
    guard let errand = search?.errand, var walk = search?.walk else { return }
    let outcome = try walk.advance(info.id, of: store)
    search = (errand, walk)
    switch outcome {
    case .goesOn: return
    case .found(let seq):
      search = nil
      try go(to: seq)
    case .ended(let last):
      search = nil
      if let last { try go(to: last) }
      try end(errand, forward: walk.isForward, hasMoved: last != nil)
    }
  }

  private func end(_ errand: Errand, forward: Bool, hasMoved: Bool) throws {
    switch errand {
    case .step(let actions):
      if !forward { return try go(to: window.start) }
      if !hasMoved { message = "There is no \(actions ? "action" : "event") after this one." }
    case .hit(let pattern):
      message =
        "No event \(forward ? "after" : "before") this one has "
        + "\"\(Printable.line(pattern.text))\"."
    }
  }

  /// The next event that changes the selected field, or the one before.
  func findChange(forward: Bool) {
    guard let worker else {
      message = moment.note
      return
    }
    guard let pointer = tabs.lazy.compactMap(\.selectedPointer).first else {
      message = "Select a field of the state first: Tab"
      return
    }
    wantedField = (pointer, forward)
    worker.find(
      StateRequest.Change(
        pointer: pointer, from: position, isForward: forward,
        limit: forward ? window.end : window.start))
  }

  private func event(_ seq: Seq) throws -> Event? {
    guard seq > .zero else { return nil }
    var page = EventBatch()
    try store.read(info.id, after: seq.previous, through: seq, into: &page)
    return page.isEmpty ? nil : page[0]
  }

  /// After a long way, the position stands with some events above it.
  private func bringIntoView(_ seq: Seq) throws {
    let distance = top.distance(to: seq)
    if distance >= 0, distance < 2 * listHeight { return }
    top = try window.rows(through: seq, max(1, listHeight / 3)).first?.seq ?? window.start
  }
}
