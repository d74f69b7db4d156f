import EventStoreCore
import EventStoreTesting

/// All that a store holds, by which two are compared.
struct StoreContents: Equatable {
  var sessions: [SessionInfo]
  var logs: [Log]

  /// What there is of one session.
  struct Log: Equatable {
    var tail: Tail
    var commits: [Commit]
    var openEffects: [Event]
    var snapshots: [Snapshot]
    var events: [Event]
  }

  /// Reads all of `store`.
  init(of store: any EventStore) throws {
    sessions = try store.sessions()
    logs = try sessions.map { session in
      Log(
        tail: try store.tail(of: session.id),
        commits: try store.commits(of: session.id, after: .zero, limit: .max),
        openEffects: try store.openEffects(of: session.id),
        snapshots: try store.snapshots(of: session.id),
        events: try store.allEvents(of: session.id))
    }
  }

  /// In a few words.
  var summary: String {
    let logs = zip(sessions, logs).map { session, log in
      "\(session.name): \(log.tail.version) in \(log.commits.count) commits, "
        + "\(log.snapshots.count) snapshots"
    }
    return "[" + logs.joined(separator: "; ") + "]"
  }
}

extension EventStore {
  /// Throws unless verification finds nothing.
  func requireClean() throws {
    var found: VerifyFinding?
    try verify(nil) { found = found ?? $0 }
    try require(found == nil, "verify found: \(found.map { "\($0)" } ?? "")")
  }
}
