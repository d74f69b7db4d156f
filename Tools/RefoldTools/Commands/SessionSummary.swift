import EventStoreCore
import Refold

/// What `sessions` shows of one session.
struct SessionSummary {
  let info: SessionInfo
  let parent: String?
  let tail: Tail
  let first: Timestamp?
  /// The actions whose effects are open: running in some process, or interrupted.
  let running: [Seq]
  let interrupted: [Seq]

  /// Looks `info` up in `store`.
  init(_ info: SessionInfo, in store: any EventStore, names: [SessionID: String]) throws {
    self.info = info
    parent = info.parent.map { names[$0.session] ?? "?" }
    tail = try store.tail(of: info.id)
    var page = EventBatch()
    try store.read(info.id, after: .zero, through: Seq(1), into: &page)
    first = page.headers.first?.recordedAt
    var (running, interrupted): ([Seq], [Seq]) = ([], [])
    for effect in try OpenEffects.of(info, in: store) {
      if effect.isRunning { running.append(effect.cause) } else { interrupted.append(effect.cause) }
    }
    (self.running, self.interrupted) = (running, interrupted)
  }

  /// One line of `sessions --json`.
  var json: [UInt8] {
    var line = JSONLine()
    line.member("session", info.name.rawValue)
    line.member("reactor", info.reactor)
    line.member("created", info.createdAt)
    line.member("events", tail.version)
    if let first { line.member("first", first) }
    if tail.version > .zero { line.member("last", tail.recordedAt) }
    line.member("bytes", tail.payloadBytes)
    line.member("digest", tail.digest.description)
    if let parent, let seq = info.parent?.seq {
      line.member("parent", parent)
      line.member("parentSeq", seq)
    }
    line.member("running", json: JSONLine.list(running))
    line.member("interrupted", json: JSONLine.list(interrupted))
    return line.finished()
  }
}
