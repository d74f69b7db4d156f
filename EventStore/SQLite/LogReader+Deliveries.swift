import EventStoreCore

extension LogReader {
  func delivery(_ id: String, in session: SessionID) throws -> RecordedDelivery? {
    let lineage = try lineage(of: session)
    for segment in lineage.segments {
      let found = try select.delivery.first(
        .integer(Int64(segment.session.rawValue)), .text(id)
      ) { try self.delivery($0, lineage) }
      if let found, found.seq <= segment.through { return found }
    }
    return nil
  }

  func delivery(_ row: Statement, _ lineage: Lineage) throws -> RecordedDelivery {
    guard let seq = Seq(exactly: row.integer(0)), let id = row.text(1), let body = row.digest(2)
    else { throw damaged("session \(lineage.info.name): a delivery is malformed") }
    return RecordedDelivery(seq: seq, delivery: Delivery(id: id, bodyDigest: body))
  }
}
