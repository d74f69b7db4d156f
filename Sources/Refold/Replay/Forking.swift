import EventStoreCore

/// New sessions that share the past of another one.
package enum Forking {
  /// A fork that was made, and what its cut left open.
  package struct Result: Sendable {
    package let info: SessionInfo
    /// The actions whose effects were open at the cut, and are logged as cancelled.
    package let cancelled: [Seq]
  }

  /// Makes a session that shares the past of `parent` up to and including `seq`, and logs what that
  /// leaves open as cancelled: all of it, or nothing.
  ///
  /// - Parameters:
  ///   - name: the fork's name; nil for `PARENT-fork-N`, with the first N that is free.
  ///   - time: when it is made.
  /// - Throws: `EventStoreError.sessionExists`, `.noSuchEvent` beyond the parent's end.
  /// - Complexity: O(n) for the n events up to `seq`, without their payloads.
  package static func fork(
    _ parent: SessionInfo, at seq: Seq, named name: SessionName?, in store: any EventStore,
    created time: Timestamp = .now()
  ) throws -> Result {
    let schema = try schemaVersion(of: parent, at: seq, in: store)
    return try store.transaction { transaction in
      let name = try name ?? freeName(for: parent, transaction)
      let info = try transaction.fork(parent.id, at: seq, named: name, created: time)
      let open = try transaction.openEffects(of: info.id).map(\.header.cause).sorted()
      let tail = try transaction.tail(of: info.id)
      var batch = EventBatch()
      for (index, cause) in open.enumerated() {
        guard let next = seq.advanced(by: index + 1) else {
          throw EventStoreError.sessionFull(info.name.rawValue)
        }
        let header = EventHeader(
          seq: next, kind: .cancelled, cause: cause, recordedAt: max(time, tail.recordedAt))
        batch.append(header, payload: Array("{}".utf8))
      }
      if !batch.isEmpty {
        try transaction.append(batch, to: info.id, expecting: seq, schemaVersion: schema)
      }
      return Result(info: info, cancelled: open)
    }
  }

  /// The schema version that the event at `seq` was written with; 1 for none.
  private static func schemaVersion(
    of session: SessionInfo, at seq: Seq, in store: any EventStore
  ) throws -> Int {
    if seq == .zero { return 1 }
    return try store.commits(of: session.id, after: seq.previous, limit: 1).first?.schemaVersion
      ?? 1
  }

  /// `PARENT-fork-N` with the first N that is free.
  package static func freeName(
    for parent: SessionInfo, _ transaction: any EventStoreTransaction
  ) throws -> SessionName {
    var number = 1
    while true {
      let name = try SessionName("\(parent.name.rawValue)-fork-\(number)")
      if try transaction.session(named: name) == nil { return name }
      number += 1
    }
  }
}
