import EventStoreCore

extension StoreContract {
  static let sessionChecks = [
    Check("a new store has no sessions") { store in
      try expectEqual(try store.sessions(), [], "sessions")
      try expectEqual(try store.newestSession(), nil, "newest session")
      try expectEqual(try store.session(named: try SessionName("s1")), nil, "session s1")
    },
    Check("a session is found by its name, byte for byte") { store in
      let composed = try store.createSession("caf\u{e9}")
      let decomposed = try store.createSession("cafe\u{301}")
      try expect(composed != decomposed, "two spellings made one session")
      try expectEqual(
        try store.session(named: try SessionName("cafe\u{301}"))?.id, decomposed, "session")
      try expectEqual(try store.sessions().map(\.id), [composed, decomposed], "sessions")
    },
    Check("a session's name can be taken once") { store in
      let name = try SessionName("s1")
      try store.createSession("s1")
      try expectRefusal("a second s1", { $0 == .sessionExists(name) }) {
        try store.createSession("s1")
      }
      try expectEqual(try store.sessions().count, 1, "sessions")
    },
    Check("an empty session has the digest of its reactor's name and the time of its making") {
      store in
      let session = try store.createSession("s1", reactor: "clock")
      let expected = Tail(
        version: .zero, recordedAt: Timestamp(microseconds: 1_600_000_000_000_000),
        digest: LogDigest(reactor: "clock").digest, payloadBytes: 0)
      try expectEqual(try store.tail(of: session), expected, "tail")
    },
    Check("the newest session is that of the newest commit, else the newest made") { store in
      let first = try store.createSession("s1")
      let second = try store.createSession("s2")
      try expectEqual(try store.newestSession()?.id, second, "without commits")
      try store.append(to: first, [(.action, 0, "1")])
      try expectEqual(try store.newestSession()?.id, first, "with a commit")
    },
    Check("a session that is not there is refused everywhere") { store in
      let missing = SessionID(7)
      try expectRefusal("tail", { $0.isNoSuchSession }) { _ = try store.tail(of: missing) }
      try expectRefusal("read", { $0.isNoSuchSession }) { _ = try store.allEvents(of: missing) }
      try expectRefusal("append", { $0.isNoSuchSession }) {
        try store.append(EventBatch(actions: 1, after: .zero), to: missing)
      }
      try expectRefusal("fork", { $0.isNoSuchSession }) {
        try store.fork(missing, at: 0, named: "f")
      }
    },
  ]

  static let appendChecks = [
    Check("a commit of any number of events holds each of them") { store in
      let session = try store.createSession("s1", reactor: "r")
      var (chain, expected) = (LogDigest(reactor: "r"), [Event]())
      for count in [1, 2, 31, 32, 33, 63, 64, 65, 100, 257] {
        var batch = EventBatch()
        for index in 0..<count {
          let seq = Seq(UInt32(expected.count + index + 1))
          // Payloads of no byte and of more than a block of the digest are among them.
          let payload = String(repeating: "x", count: (index * 7) % 300)
          batch.append(
            EventHeader(
              seq: seq, kind: .action, cause: .zero,
              recordedAt: Timestamp(microseconds: Int64(seq.rawValue))),
            payload: payload.utf8, delivery: index % 40 == 3 ? Delivery("id-\(seq)") : nil)
        }
        chain.append(contentsOf: batch)
        expected += batch.events
        let commit = try store.append(batch, to: session)
        try expectEqual(commit.digest, chain.digest, "the digest after \(count) events")
        try expectEqual(commit.lastSeq, Seq(UInt32(expected.count)), "the end")
      }
      try expectEqual(try store.allEvents(of: session), expected, "events")
    },
    Check("what was appended is read back, byte for byte") { store in
      let session = try store.createSession("s1")
      let payloads = ["", "\"\u{0}\"", "{\"a\":\"\u{1F600}\"}", " 1.0 ", "cafe\u{301}"]
      let batch = EventBatch(after: .zero, payloads.map { (.action, 0, $0) })
      try store.append(batch, to: session)
      try expectEqual(try store.allEvents(of: session), batch.events, "events")
    },
    Check("a commit says where it stands, and the tail follows it") { store in
      let session = try store.createSession("s1")
      let first = try store.append(EventBatch(actions: 2, after: .zero, payload: "12"), to: session)
      let batch = EventBatch(actions: 1, after: Seq(4), payload: "345")
      let second = try store.append(batch, to: session, expecting: Seq(4), schemaVersion: 3)
      try expect(first.position < second.position, "positions do not grow")
      try expectEqual([second.firstSeq, second.lastSeq], [Seq(5), Seq(6)], "range")
      try expectEqual(second.schemaVersion, 3, "schema version")
      var chain = LogDigest(continuing: first.digest)
      chain.append(contentsOf: batch)
      let expected = Tail(
        version: Seq(6), recordedAt: batch.headers[1].recordedAt, digest: chain.digest,
        payloadBytes: 14)
      try expectEqual(try store.tail(of: session), expected, "tail")
      try expectEqual(
        try store.commits(of: session, after: .zero, limit: 9), [first, second], "all")
      try expectEqual(try store.commits(of: session, after: Seq(3), limit: 1), [first], "some")
      try expectEqual(try store.commits(of: session, after: Seq(4), limit: 9), [second], "rest")
    },
    Check("a transaction whose body throws leaves nothing") { store in
      struct Stop: Error {}
      let session = try store.createSession("s1")
      let name = try SessionName("s2")
      do {
        try store.transaction { transaction in
          _ = try transaction.createSession(
            named: name, reactor: "counter", at: Timestamp(microseconds: 0))
          try transaction.append(
            EventBatch(actions: 1, after: .zero), to: session, expecting: .zero, schemaVersion: 1)
          throw Stop()
        }
      } catch is Stop {}
      try expectEqual(try store.sessions().map(\.id), [session], "sessions")
      try expectEqual(try store.tail(of: session).version, .zero, "version")
      try expectEqual(try store.createSession("s3"), SessionID(2), "the next session")
    },
    Check("a transaction sees its own writes, others see them when it is over") { store in
      let session = try store.createSession("s1")
      let batch = EventBatch(actions: 1, after: .zero)
      try store.transaction { transaction in
        try transaction.append(batch, to: session, expecting: .zero, schemaVersion: 1)
        var page = EventBatch()
        try transaction.read(session, after: .zero, through: .max, into: &page)
        try expectEqual(page.events, batch.events, "inside")
        try expectEqual(try transaction.tail(of: session).version, Seq(2), "version inside")
        try expectEqual(try store.tail(of: session).version, .zero, "version outside")
      }
      try expectEqual(try store.tail(of: session).version, Seq(2), "version afterwards")
    },
    Check("a transaction cannot be used after its body") { store in
      var kept: (any EventStoreTransaction)?
      try store.transaction { kept = $0 }
      try expectRefusal("a late read", { $0 == .closed }) {
        _ = try kept?.session(named: try SessionName("s1"))
      }
    },
    Check("one transaction can append to several sessions") { store in
      let sessions = [try store.createSession("s1"), try store.createSession("s2")]
      try store.transaction { transaction in
        for session in sessions + sessions {
          let version = try transaction.tail(of: session).version
          try transaction.append(
            EventBatch(actions: 1, after: version), to: session, expecting: version,
            schemaVersion: 1)
        }
      }
      for session in sessions {
        try expectEqual(try store.tail(of: session).version, Seq(4), "version")
      }
    },
  ]

  static let refusalChecks = [
    Check("an append must expect the version that is there") { store in
      let session = try store.createSession("s1")
      try store.append(EventBatch(actions: 1, after: .zero), to: session)
      try expectRefusal(
        "version 0", { $0 == .versionConflict(expected: .zero, actual: Seq(2)) }
      ) {
        try store.append(
          EventBatch(actions: 1, after: .zero), to: session, expecting: .zero, schemaVersion: 1)
      }
      try expectEqual(try store.allEvents(of: session).count, 2, "events")
    },
    Check("an append's schema version is from 0 to \(Int32.max)") { store in
      let session = try store.createSession("s1")
      for schema in [-1, Int(Int32.max) + 1, .min, .max] {
        try expectRefusal("schema version \(schema)", { $0.isInvalidAppend }) {
          try store.append(
            EventBatch(actions: 1, after: .zero), to: session, expecting: .zero,
            schemaVersion: schema)
        }
      }
      for (version, schema) in [(UInt32(0), 0), (2, Int(Int32.max))] {
        try store.append(
          EventBatch(actions: 1, after: Seq(version)), to: session, expecting: Seq(version),
          schemaVersion: schema)
      }
      let found = try store.commits(of: session, after: .zero, limit: 9).map(\.schemaVersion)
      try expectEqual(found, [0, Int(Int32.max)], "schema versions")
    },
    refusal("nothing", EventBatch()),
    refusal("a gap", EventBatch(after: Seq(4), [(.action, 0, "1")])),
    refusal("a repeated seq", EventBatch(after: Seq(2), [(.action, 0, "1")])),
    refusal(
      "a time that goes back", EventBatch(after: Seq(3), from: 1, [(.action, 0, "1")])),
    refusal("a cause in the future", EventBatch(after: Seq(3), [(.action, 5, "1")])),
    refusal("a cause that is itself", EventBatch(after: Seq(3), [(.action, 4, "1")])),
    refusal(
      "a cause that is no action", EventBatch(after: Seq(3), [(.mutation, 2, "1")])),
    refusal(
      "a cause in the same batch that is no action",
      EventBatch(after: Seq(3), [(.mutation, 0, "1"), (.mutation, 4, "1")])),
    refusal("a pending of no action", EventBatch(after: Seq(3), [(.pending, 0, "1")])),
    refusal(
      "an end without a pending",
      EventBatch(after: Seq(3), [(.action, 0, "1"), (.completed, 4, "1")])),
    refusal(
      "a second end", EventBatch(after: Seq(3), [(.failed, 1, "1"), (.cancelled, 1, "1")])),
    refusal(
      "a second end after a second pending",
      EventBatch(after: Seq(3), [(.pending, 1, "1"), (.completed, 1, "1"), (.completed, 1, "1")])),
  ]

  /// A session with an action, its mutation and its pending effect refuses `batch`.
  private static func refusal(_ what: String, _ batch: EventBatch) -> Check {
    Check("an append of \(what) is refused, and changes nothing") { store in
      let session = try store.createSession("s1")
      try store.append(
        to: session, [(.action, 0, "1"), (.mutation, 1, "2"), (.pending, 1, "3")])
      let before = try store.tail(of: session)
      try expectRefusal(what, { $0.isInvalidAppend }) {
        try store.append(batch, to: session, expecting: Seq(3), schemaVersion: 1)
      }
      try expectEqual(try store.tail(of: session), before, "tail")
      try expectEqual(try store.openEffects(of: session).map(\.header.seq), [Seq(3)], "effects")
    }
  }
}
