import EventStoreCore

extension TimeMachineModel {
  /// How often a session that is followed is looked at, in microseconds.
  static let pollInterval: Int64 = 100_000

  /// Does what is due: reports of the worker, the next piece of a search, the next event of a
  /// playback, a look for new events.
  func tick() throws {
    for report in worker?.reports() ?? [] { try take(report) }
    if search != nil { try advanceSearch() }
    if isLive, now() >= pollDue { try poll() }
    if isPlaying, now() >= playDue { try play() }
  }

  private func take(_ report: StateReport) throws {
    switch report {
    case .state(let state):
      moment.state = state
      if state.seq == position { (moment.note, progress) = (nil, nil) }
    case .changes(let changes): if changes.to == position { moment.changes = changes }
    case .unreadable(let seq, let reason):
      if seq == position {
        (moment.note, moment.state, progress) = (Printable.line(reason), nil, nil)
      }
    case .progress(let at, let goal):
      progress = (at, goal)
      if wantedField == nil, goal == position, moment.state?.seq != position {
        let (done, all) = (Int(at.rawValue), Int(goal.rawValue))
        moment.note =
          "folding event \(Printable.grouped(done)) of \(Printable.grouped(all)) …"
      }
    case .change(let seq, let pointer): try takeChange(seq, pointer)
    case .done(let text), .failed(let text): message = text
    }
  }

  private func takeChange(_ seq: Seq?, _ pointer: String) throws {
    guard let (wanted, isForward) = wantedField, wanted == pointer else { return }
    (wantedField, progress) = (nil, nil)
    let field = pointer.isEmpty ? "the state" : Printable.line(pointer)
    guard let seq else {
      message = "Nothing \(isForward ? "after" : "before") this event changed \(field)."
      return
    }
    try go(to: seq)
    message = "Event \(seq) changed \(field)."
  }

  /// Looks for new events; at the end of the list, goes on to them.
  func poll() throws {
    pollDue = now() + Self.pollInterval
    try lookForNewEvents()
  }

  func lookForNewEvents() throws {
    let end = try store.tail(of: info.id).version
    guard end > window.end else { return }
    let wasAtEnd = position == window.end
    window.end = end
    if wasAtEnd, isLive, !isPlaying { try go(to: end) }
  }

  /// Starts or stops following the session.
  func toggleLive() throws {
    isLive.toggle()
    guard isLive else { return }
    try poll()
    try go(to: window.end)
  }

  /// Starts or stops playing.
  func togglePlay() {
    isPlaying.toggle()
    if isPlaying { playDue = now() }
  }

  private func play() throws {
    // What was asked for is shown before the next is asked for.
    if worker != nil, moment.state?.seq != position, moment.note == nil || progress != nil {
      playDue = now() + Playback.frame
      return
    }
    window.startLooking()
    let rows = Array(try window.rows(after: position, 512))
    guard var target = rows.first else {
      playDue = now() + Self.pollInterval
      // The list is still being read, or grows.
      if !window.isIncomplete, !isLive { (isPlaying, message) = (false, "This is the end.") }
      return
    }
    var passed: Int64 = 0
    var wait: Int64 = 0
    for next in rows.dropFirst() {
      let gap = next.header.recordedAt.microseconds - target.header.recordedAt.microseconds
      wait = playback.wait(for: gap)
      passed += wait
      if passed > Playback.frame { break }
      target = next
    }
    try go(to: target.seq)
    playDue = now() + max(Playback.frame, wait)
  }
}
