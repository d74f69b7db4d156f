import EventStoreCore

extension LogReader {
  func read(
    _ session: SessionID, after seq: Seq, through last: Seq, payloads: PayloadChoice = .all,
    into page: inout EventBatch
  ) throws {
    page.removeAll()
    let lineage = try lineage(of: session)
    for segment in lineage.segments where !page.isFull {
      let start = max(page.headers.last?.seq ?? seq, segment.after)
      let end = min(last, segment.through)
      if start < end {
        try read(segment, after: start, through: end, lineage, payloads, into: &page)
      }
    }
  }

  /// Adds events of one segment to `page` until it is full, and then their deliveries.
  func read(
    _ segment: Lineage.Segment, after seq: Seq, through last: Seq, _ lineage: Lineage,
    _ payloads: PayloadChoice = .all, into page: inout EventBatch
  ) throws {
    let first = page.count
    var reached = seq
    let row = select.events
    defer { row.reset() }
    try row.bind(1, EventID(segment.session, seq).rawValue)
    try row.bind(2, EventID(segment.session, last).rawValue)
    while !page.isFull, try row.step() {
      guard let next = reached.advanced(by: 1), row.integer(0) & 0xffff_ffff == next.rawValue else {
        throw missing(reached, lineage)
      }
      let header = try header(row, at: next, lineage)
      guard row.isText(4) else {
        throw damaged("session \(lineage.info.name): seq \(next) has no payload")
      }
      page.append(
        header,
        payload: payloads.includes(header.kind)
          ? row.bytes(4) : UnsafeRawBufferPointer(start: nil, count: 0))
      reached = next
    }
    // Before the deliveries, which need no transaction with their events: neither ever changes.
    row.reset()
    if !page.isFull, segment.through < .max, reached < last { throw missing(reached, lineage) }
    try attachDeliveries(segment, after: seq, through: reached, lineage, first, &page)
  }

  private func attachDeliveries(
    _ segment: Lineage.Segment, after seq: Seq, through last: Seq, _ lineage: Lineage,
    _ first: Int, _ page: inout EventBatch
  ) throws {
    guard seq < last else { return }
    try select.deliveriesInRange.rows(
      .integer(Int64(segment.session.rawValue)), .integer(Int64(seq.rawValue)),
      .integer(Int64(last.rawValue))
    ) { row in
      let recorded = try self.delivery(row, lineage)
      page.setDelivery(recorded.delivery, at: first + seq.distance(to: recorded.seq) - 1)
      return true
    }
  }

  @inline(__always)
  func header(_ row: Statement, at seq: Seq, _ lineage: Lineage) throws -> EventHeader {
    guard let kind = UInt8(exactly: row.integer(1)).flatMap(EventKind.init(rawValue:)),
      let cause = UInt32(exactly: row.integer(2))
    else { throw damaged("session \(lineage.info.name): seq \(seq) is malformed") }
    return EventHeader(
      seq: seq, kind: kind, cause: Seq(cause), recordedAt: Timestamp(microseconds: row.integer(3)))
  }
}
