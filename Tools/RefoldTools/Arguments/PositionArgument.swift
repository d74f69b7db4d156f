import EventStoreCore

/// A position as people write it: a seq, `-N` from the end, `end`, or a time.
enum PositionArgument: Sendable {
  case seq(Seq)
  case fromEnd(Int)
  case time(Timestamp)
  /// A number that no seq can be.
  case beyond(String)

  /// Reads `text`.
  ///
  /// - Throws: `Failure` with `.usage` where it is none of these.
  init(_ text: String) throws {
    if text == "end" {
      self = .fromEnd(0)
    } else if text.hasPrefix("-"), Self.isNumber(text.dropFirst()) {
      self = .fromEnd(Int(text.dropFirst()) ?? .max)
    } else if Self.isNumber(text[...]) {
      // Beyond what a seq can be is beyond the end of every session.
      self = UInt32(text).map { .seq(Seq($0)) } ?? .beyond(text)
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
      if back <= Int(last.rawValue) { return Seq(last.rawValue - UInt32(back)) }
    case .time(let time): return try store.seq(of: session.id, at: time)
    case .beyond: break
    }
    throw Failure(
      .badInput,
      "position \(self) lies beyond session \(Printable.line(session.name.rawValue)), "
        + "which goes from 0 to \(last)")
  }
}

extension PositionArgument {
  private static func isNumber(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }
}

extension PositionArgument: CustomStringConvertible {
  var description: String {
    switch self {
    case .seq(let seq): "\(seq)"
    case .fromEnd(0): "end"
    case .fromEnd(let back): "-\(back)"
    case .time(let time): "\(time)"
    case .beyond(let number): number
    }
  }
}
