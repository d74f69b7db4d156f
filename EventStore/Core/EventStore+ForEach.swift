extension EventStore {
  /// Lends every event of `session` after `seq`, up to and including `last`, oldest first, its
  /// payload without a copy; those that `payloads` leaves out are empty.
  ///
  /// Of a long log the next pages are read on a thread of their own while `body` works on one. None
  /// is being read any more when the call returns.
  /// - Complexity: O(log n + k) for k events, in constant memory: a few pages.
  public func forEachEvent(
    of session: SessionID, after seq: Seq = .zero, through last: Seq = .max,
    payloads: PayloadChoice = .all, _ body: (EventHeader, RawSpan) throws -> Void
  ) throws {
    guard seq < last else { return }
    var page = EventBatch()
    try read(session, after: seq, through: last, payloads: payloads, into: &page)
    guard let end = page.headers.last?.seq else { return }
    // Most logs, and most of what is asked for of a log, are one page: no thread is worth that.
    guard page.isFull, end < last else { return try page.visit(body) }
    let pages = PagesAhead { [self] reached, page in
      guard reached < last else { return page.removeAll() }
      try read(session, after: reached, through: last, payloads: payloads, into: &page)
    }
    pages.start(after: end)
    defer { pages.stop() }
    while true {
      try page.visit(body)
      guard try pages.exchange(&page) else { return }
    }
  }
}
