import EventStoreCore

extension TimeMachineModel {
  func pressInPrompt(_ key: Key) throws {
    guard var prompt else { return }
    let outcome = prompt.press(key)
    self.prompt = prompt
    switch outcome {
    case .goesOn: break
    case .cancelled: self.prompt = nil
    case .accepted(let text):
      self.prompt = nil
      try accept(text, prompt.purpose)
    }
  }

  private func accept(_ text: String, _ purpose: Prompt.Purpose) throws {
    switch purpose {
    case .jump: try jump(text)
    case .searchEvents:
      listPattern = SearchPattern(text) ?? listPattern
      try findHit(forward: true)
    case .searchState:
      tabPattern = SearchPattern(text) ?? tabPattern
      try findHit(forward: true)
    case .filter: filter(text)
    case .export: if !text.isEmpty { worker?.perform(.export(position, file: text)) }
    case .fork: if !text.isEmpty { worker?.perform(.fork(position, name: text)) }
    }
  }

  /// Goes where a position as on the command line says.
  private func jump(_ text: String) throws {
    let text = text.filter { !$0.isWhitespace }
    if text.isEmpty { return }
    do {
      if !isBounded { try lookForNewEvents() }
      let seq = try PositionArgument(text).resolve(in: info, of: store)
      if seq < window.start || seq > window.end {
        message = "\(seq) lies beyond the position that --to names."
      }
      try go(to: seq)
    } catch let failure as Failure where failure.code == .usage || failure.code == .badInput {
      message = failure.message
    }
  }

  private func filter(_ text: String) {
    window = EventWindow(
      info.id, of: store, after: window.start, through: window.end, filter: EventFilter(text))
    top = position
    search = nil
  }

  func startExport() {
    guard worker != nil else {
      message = moment.note
      return
    }
    prompt = Prompt(.export)
  }

  func startFork() {
    guard worker != nil else {
      message = moment.note
      return
    }
    guard let chores, chores.mayFork else {
      message = "The store cannot be written to, so there is no fork."
      return
    }
    prompt = Prompt(.fork)
  }
}
