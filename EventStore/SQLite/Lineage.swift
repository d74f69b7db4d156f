import EventStoreCore

/// A session with the places where its events lie. Never changes once the session is there.
struct Lineage {
  /// Events of `session` after `after`, up to and including `through`.
  struct Segment {
    /// The session in whose name they are stored.
    var session: SessionID
    var after: Seq
    var through: Seq
    /// The log that the segment's session starts with, at `after`.
    var start: LogPoint

    /// What a fork at `seq` shares of it.
    func shared(through seq: Seq) -> Segment {
      Segment(session: session, after: after, through: min(through, seq), start: start)
    }
  }

  var info: SessionInfo
  /// One an ancestor, oldest first, without gaps; the last is the session's own, with `through` at
  /// `Seq.max`. Not empty. Of an ancestor forked behind the cut nothing is shared but snapshots.
  var segments: [Segment]

  /// The session's own segment.
  var own: Segment { segments[segments.count - 1] }

  /// The segment that holds the event at `seq`, which is not zero.
  func segment(holding seq: Seq) -> Segment {
    segments.first { $0.after < seq && seq <= $0.through } ?? own
  }
}

/// A log up to some seq: its digest and the bytes of its payloads.
struct LogPoint: Equatable {
  var seq: Seq
  var digest: Digest
  var payloadBytes: Int64
}

/// The row id of an event: session << 32 | seq.
struct EventID {
  var rawValue: Int64

  init(rawValue: Int64) { self.rawValue = rawValue }

  init(_ session: SessionID, _ seq: Seq) {
    rawValue = Int64(session.rawValue) << 32 | Int64(seq.rawValue)
  }
}
