import EventStoreCore

/// The lines of the event list that are seen: the events from one on, each group beneath its action.
///
/// An action and what follows from it at once are a group as they stand in the log. Where an event
/// comes later, after other actions, the action that it comes from is shown once more above it, and
/// so it is where the list begins in the middle of a group.
struct EventListLayout {
  /// One line.
  enum Line: Equatable {
    /// The position before the first event.
    case start(Seq)
    case event(EventRow, isIndented: Bool)
    /// The action of the events below, which stands further up.
    case cause(EventRow)

    /// The position that the line stands for; a repeated action stands for none.
    var seq: Seq? {
      switch self {
      case .start(let seq): seq
      case .event(let row, _): row.seq
      case .cause: nil
      }
    }
  }

  private(set) var lines: [Line] = []
  /// The first line's position: where to lay out from next time.
  private(set) var top: Seq

  /// The lines of `window`, `height` at most, from the one of `top` on, or from further on or back
  /// so that `position` is among them.
  init(
    _ window: inout EventWindow, top: Seq, position: Seq, height: Int
  ) throws {
    self.top = min(top, position)
    guard height > 0 else { return }
    lines = try Self.lines(&window, from: self.top, height)
    if lines.count < height {
      // The end is seen, and room below it: begin further up.
      if self.top > window.start { try moveDown(&window, to: window.end, height) }
    } else if !reaches(position) {
      try moveDown(&window, to: position, height)
    }
  }

  /// Begins as far up as lets the position be the last line.
  private mutating func moveDown(
    _ window: inout EventWindow, to position: Seq, _ height: Int
  ) throws {
    var candidates = try window.rows(through: position, height).map(\.seq)[...]
    if candidates.count < height { candidates = [window.start] + candidates }
    while let first = candidates.popFirst() {
      top = first
      lines = try Self.lines(&window, from: first, height)
      if lines.count < height || reaches(position) { return }
    }
  }

  /// Whether the lines go as far as `position`, which may be one that is not listed.
  private func reaches(_ position: Seq) -> Bool {
    lines.contains { $0.seq.map { $0 >= position } ?? false }
  }

  private static func lines(
    _ window: inout EventWindow, from top: Seq, _ height: Int
  ) throws -> [Line] {
    var lines: [Line] = top <= window.start ? [.start(window.start)] : []
    var group = Seq.zero
    for row in try window.rows(after: max(window.start, top.previous), height) {
      if row.kind != .action, row.header.cause != .zero, row.header.cause != group {
        if let cause = try window.row(row.header.cause) { lines.append(.cause(cause)) }
      }
      let isIndented = row.kind != .action && row.header.cause != .zero
      group = row.kind == .action ? row.seq : row.header.cause
      lines.append(.event(row, isIndented: isIndented))
      if lines.count >= height { break }
    }
    return Array(lines.prefix(height))
  }
}
