import EventStoreCore

/// A row of one of the store's tables, told by its shape.
enum FoundRow {
  case session(FoundSession)
  case event(FoundEvent)
  case commit(FoundCommit)
  /// Of the table of deliveries, or of its index, which has no digest.
  case delivery(session: Int64, seq: Seq, id: String, bodyDigest: [UInt8]?)
  /// Of a snapshot: which reactor folded it.
  case fold(reactor: String)

  /// nil for what is none of them.
  init?(_ record: TableRecord, id: Int64?) {
    let row: FoundRow? =
      switch (record.values.count, id) {
      case (8, let id?): FoundSession(record, id).map { .session($0) }
      case (5, let id?): FoundEvent(record, id).map { .event($0) } ?? Self.fold(record)
      case (7, let id?): FoundCommit(record, id).map { .commit($0) }
      case (4, nil): Self.delivery(record)
      case (3, nil): Self.indexedDelivery(record)
      default: nil
      }
    guard let row else { return nil }
    self = row
  }

  /// session, delivery_id, seq, body_digest: the columns of the primary key stand first.
  private static func delivery(_ record: TableRecord) -> FoundRow? {
    guard let session = record.integer(0), let id = record.string(1), !id.isEmpty,
      let seq = record.integer(2).flatMap({ Seq(exactly: $0) }), let digest = record.blob(3),
      SealedDigest.sizes.contains(digest.count)
    else { return nil }
    return .delivery(session: session, seq: seq, id: id, bodyDigest: Array(digest))
  }

  /// session, seq, delivery_id.
  private static func indexedDelivery(_ record: TableRecord) -> FoundRow? {
    guard let session = record.integer(0),
      let seq = record.integer(1).flatMap({ Seq(exactly: $0) }),
      let id = record.string(2), !id.isEmpty
    else { return nil }
    return .delivery(session: session, seq: seq, id: id, bodyDigest: nil)
  }

  /// session, seq, fold_id, log_digest, state; a fold's id begins with its reactor's name.
  private static func fold(_ record: TableRecord) -> FoundRow? {
    guard record.integer(0) != nil, record.integer(1) != nil, let fold = record.string(2),
      record.blob(3) != nil, let end = fold.utf8.lastIndex(of: UInt8(ascii: "@"))
    else { return nil }
    return .fold(reactor: String(fold[..<end]))
  }
}

/// An event as it was found. Its session's number may be of a session that nothing else is known of.
struct FoundEvent {
  let id: Int64
  let header: EventHeader
  let payload: [UInt8]

  fileprivate init?(_ record: TableRecord, _ id: Int64) {
    guard record.isNull(0), id >> 32 > 0, let seq = Seq(exactly: id & 0xffff_ffff), seq > .zero,
      let kind = record.integer(1).flatMap({ UInt8(exactly: $0) }).flatMap(
        EventKind.init(rawValue:)),
      let cause = record.integer(2).flatMap({ Seq(exactly: $0) }), let time = record.integer(3),
      let payload = record.text(4)
    else { return nil }
    self.id = id
    header = EventHeader(
      seq: seq, kind: kind, cause: cause, recordedAt: Timestamp(microseconds: time))
    self.payload = Array(payload)
  }
}

/// A commit as it was found.
struct FoundCommit {
  let position: Int64
  let session: Int64
  let first: Seq
  let last: Seq
  let schemaVersion: Int64
  let digest: SealedDigest
  /// Whether nothing of the row was changed, as far as its seal tells.
  let isWhole: Bool

  fileprivate init?(_ record: TableRecord, _ id: Int64) {
    guard record.isNull(0), let session = record.integer(1), let number = Int32(exactly: session),
      let first = record.integer(2).flatMap({ Seq(exactly: $0) }),
      let last = record.integer(3).flatMap({ Seq(exactly: $0) }), let schema = record.integer(4),
      let bytes = record.integer(5),
      let digest = record.blob(6).flatMap({ SealedDigest(Array($0)) })
    else { return nil }
    (self.position, self.session) = (id, session)
    (self.first, self.last, schemaVersion, self.digest) = (first, last, schema, digest)
    isWhole = digest.fits(
      Seal.commit(
        SessionID(number), first: first, last: last, schemaVersion: schema, payloadBytes: bytes,
        digest: digest.digest))
  }

  /// A commit read back.
  init(
    position: Int64, session: Int64, first: Seq, last: Seq, schemaVersion: Int64,
    digest: SealedDigest, isWhole: Bool
  ) {
    (self.position, self.session, self.first, self.last) = (position, session, first, last)
    (self.schemaVersion, self.digest, self.isWhole) = (schemaVersion, digest, isWhole)
  }
}

/// The row of a session as it was found.
struct FoundSession {
  let info: SessionInfo
  let start: LogPoint
  /// Whether nothing of the row was changed, as far as its seal tells.
  let isWhole: Bool

  fileprivate init?(_ record: TableRecord, _ id: Int64) {
    guard record.isNull(0), let number = Int32(exactly: id), number > 0,
      let name = record.string(1).flatMap({ try? SessionName($0) }), let reactor = record.string(2),
      let created = record.integer(3),
      let digest = record.blob(6).flatMap({ SealedDigest(Array($0)) }),
      let bytes = record.integer(7)
    else { return nil }
    var parent: SessionInfo.Parent?
    if let older = record.integer(4).flatMap({ Int32(exactly: $0) }),
      let seq = record.integer(5).flatMap({ Seq(exactly: $0) })
    {
      parent = .init(session: SessionID(older), seq: seq)
    } else if !record.isNull(4) || !record.isNull(5) {
      return nil
    }
    info = SessionInfo(
      id: SessionID(number), name: name, reactor: reactor,
      createdAt: Timestamp(microseconds: created), parent: parent)
    start = LogPoint(seq: parent?.seq ?? .zero, digest: digest.digest, payloadBytes: bytes)
    isWhole = digest.fits(Seal.session(info, start: start))
  }

  /// The row of a session read back.
  init(_ info: SessionInfo, start: LogPoint, isWhole: Bool) {
    (self.info, self.start, self.isWhole) = (info, start, isWhole)
  }
}
