import EventStoreCore

/// A position as people write it: a seq, `-N` from the end, `end`, or a time.
enum PositionArgument: Sendable {
  case seq(Seq)
  case fromEnd(Int)
  case time(Timestamp)

  /// Reads `text`.
  ///
  /// - Throws: `Failure` with `.usage` where it is none of these.
  init(_ text: String) throws {
    if text == "end" {
      self = .fromEnd(0)
    } else if text.hasPrefix("-"), let back = Int(text.dropFirst()), back >= 0 {
      self = .fromEnd(back)
    } else if let number = Int(text), number >= 0 {
      // Beyond what a seq can be is beyond the end of every session.
      self = .seq(Seq(exactly: number) ?? .max)
    } else if let time = Timestamp(text) {
      self = .time(time)
    } else {
      throw Failure(
        .usage,
        "\"\(Printable.line(text))\" is no position. Expected a seq such as 12, -3 from the end, "
          + "end, or a time such as 2026-11-30T08:15:00Z")
    }
  }

  /// The seq that this means in `session`.
  ///
  /// - Throws: `Failure` with `.badInput` beyond either end.
  func resolve(in session: SessionInfo, of store: any EventStore) throws -> Seq {
    let last = try store.tail(of: session.id).version
    switch self {
    case .seq(let seq):
      if seq <= last { return seq }
    case .fromEnd(let back):
      if let seq = Seq(exactly: Int(last.rawValue) - back) { return seq }
    case .time(let time): return try store.seq(of: session.id, at: time)
    }
    throw Failure(
      .badInput,
      "position \(self) lies beyond session \(Printable.line(session.name.rawValue)), "
        + "which goes from 0 to \(last)")
  }
}

extension PositionArgument: CustomStringConvertible {
  var description: String {
    switch self {
    case .seq(let seq): "\(seq)"
    case .fromEnd(0): "end"
    case .fromEnd(let back): "-\(back)"
    case .time(let time): "\(time)"
    }
  }
}
