import EventStoreCore

/// `--from A --to B`: a stretch of a session's events.
struct PositionRange: Sendable {
  private let from: PositionArgument?
  private let to: PositionArgument?

  /// The events of a resolved range: those after `before`, up to and including `last`.
  struct Resolved: Sendable {
    let before: Seq
    let last: Seq
  }

  /// Reads `--from` and `--to`.
  init(_ arguments: Arguments) throws {
    from = try arguments.value("--from").map { try PositionArgument($0) }
    to = try arguments.value("--to").map { try PositionArgument($0) }
  }

  /// The range in `session`; nil where it holds no event.
  ///
  /// - Throws: `Failure` with `.badInput` for a position beyond the session or a range that ends
  ///   before it begins.
  func resolve(in session: SessionInfo, of store: any EventStore) throws -> Resolved? {
    let last = try to?.resolve(in: session, of: store) ?? store.tail(of: session.id).version
    var first = try from?.resolve(in: session, of: store) ?? Seq(1)
    // A time means what is recorded from then on: the event after the last one before it.
    if case .time(let time)? = from { first = try firstEvent(from: time, first, session, store) }
    if let to, let from, first > last, first > Seq(1) {
      throw Failure(.badInput, "the range from \(from) to \(to) ends before it begins")
    }
    let before = first.previous
    return last > before ? Resolved(before: before, last: last) : nil
  }

  private func firstEvent(
    from time: Timestamp, _ seq: Seq, _ session: SessionInfo, _ store: any EventStore
  ) throws -> Seq {
    let justBefore = Timestamp(microseconds: time.microseconds - 1)
    return try store.seq(of: session.id, at: justBefore).advanced(by: 1) ?? seq
  }
}
