import EventStoreCore
import JSONTree
import Refold

/// Looks along a session for where the value at a pointer changed.
struct ValueSearch<R: Reactor> {
  /// Going back, so many events are folded again at a time: first few, then more.
  private static var chunks: ClosedRange<Int> { 64...4096 }

  private let timeline: Timeline<R>
  private let pointer: JSONPointer
  private let codec = EventCodec()
  private let visit: (Seq) throws -> Void

  private struct Found: Error { let seq: Seq }

  /// A search of `timeline`. `visit` is told where it is; what it throws ends the search.
  init(_ timeline: Timeline<R>, _ pointer: JSONPointer, visit: @escaping (Seq) throws -> Void) {
    (self.timeline, self.pointer, self.visit) = (timeline, pointer, visit)
  }

  /// The first event after `seq` that changed the value.
  func next(after seq: Seq, through last: Seq) throws -> Seq? {
    guard let first = seq.advanced(by: 1), first <= last else { return nil }
    let value = try value(in: timeline.fold(at: seq))
    do {
      try timeline.forEachStep(in: first...last) { header, _, fold in
        try look(header)
        if header.kind == .mutation, try self.value(in: fold) != value {
          throw Found(seq: header.seq)
        }
      }
      return nil
    } catch let found as Found {
      return found.seq
    }
  }

  /// The last event before `seq`, and after `first`, that changed the value.
  func previous(before seq: Seq, after first: Seq) throws -> Seq? {
    var (end, chunk) = (seq.previous, Self.chunks.lowerBound)
    while end > first {
      let before = max(first, end.advanced(by: -chunk) ?? first)
      if let found = try lastChange(after: before, through: end) { return found }
      end = before
      chunk = min(chunk * 2, Self.chunks.upperBound)
    }
    return nil
  }

  private func lastChange(after before: Seq, through end: Seq) throws -> Seq? {
    guard let first = before.advanced(by: 1), first <= end else { return nil }
    var value = try value(in: timeline.fold(at: before))
    var found: Seq?
    try timeline.forEachStep(in: first...end) { header, _, fold in
      try look(header)
      guard header.kind == .mutation else { return }
      let new = try self.value(in: fold)
      if new != value { (value, found) = (new, header.seq) }
    }
    return found
  }

  private func look(_ header: EventHeader) throws {
    if header.seq.rawValue % 64 == 0 { try visit(header.seq) }
  }

  /// The bytes of the value; nil where the state has none there.
  private func value(in fold: Fold<R>) throws -> [UInt8]? {
    try codec.encode(fold.state, at: pointer)
  }
}
