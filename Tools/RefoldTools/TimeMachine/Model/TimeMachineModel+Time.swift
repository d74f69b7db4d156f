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
}
