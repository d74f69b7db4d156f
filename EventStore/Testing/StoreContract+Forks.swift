import EventStoreCore

extension StoreContract {
  static let forkChecks = [
    Check("a fork shares the past of its parent, and goes its own way") { store in
      let parent = try store.createSession("s1")
      try store.append(EventBatch(actions: 3, after: .zero), to: parent)
      let fork = try store.fork(parent, at: 3, named: "s2")
      let past = Array(try store.allEvents(of: parent).prefix(3))
      try expectEqual(try store.allEvents(of: fork), past, "the past")
      try expectEqual(
        try store.tail(of: fork),
        Tail(
          version: Seq(3), recordedAt: past[2].header.recordedAt,
          digest: try store.digest(of: parent, at: Seq(3)), payloadBytes: 27), "tail")
      let batch = EventBatch(after: Seq(3), [(.mutation, 3, "own")])
      try store.append(batch, to: fork)
      try store.append(EventBatch(actions: 1, after: Seq(6)), to: parent)
      try expectEqual(try store.allEvents(of: fork), past + batch.events, "its own way")
      try expectEqual(try store.allEvents(of: parent).count, 8, "the parent's events")
      try expectEqual(try store.tail(of: fork).payloadBytes, 30, "bytes")
    },
    Check("forks of forks find every event, digest, time and cause") { store in
      let root = try store.createSession("root", reactor: "r")
      try store.append(EventBatch(actions: 4, after: .zero), to: root)
      let first = try store.fork(root, at: 6, named: "first")
      try store.append(EventBatch(actions: 2, after: Seq(6), payload: "first"), to: first)
      for (name, cut) in [("late", UInt32(8)), ("early", 2), ("edge", 6)] {
        let second = try store.fork(first, at: cut, named: name)
        try store.append(to: second, [(.action, 1, name), (.mutation, cut + 1, name)])
        let shared = try store.allEvents(of: first).prefix(Int(cut))
        let all = try store.allEvents(of: second)
        try expectEqual(Array(all.prefix(Int(cut))), Array(shared), "\(name): the past")
        try expectEqual(all.count, Int(cut) + 2, "\(name): events")
        var chain = LogDigest(reactor: "r")
        for event in all {
          chain.append(event)
          let seq = event.header.seq
          try expectEqual(try store.digest(of: second, at: seq), chain.digest, "\(name): \(seq)")
          try expectEqual(
            try store.seq(of: second, at: event.header.recordedAt), seq, "\(name): time of \(seq)")
        }
      }
    },
    Check("the commits of a fork are those of its past, cut where it begins") { store in
      let root = try store.createSession("s1")
      let first = try store.append(EventBatch(actions: 2, after: .zero), to: root)
      try store.append(EventBatch(actions: 2, after: Seq(4)), to: root)
      let fork = try store.fork(root, at: 6, named: "s2")
      let own = try store.append(to: fork, [(.action, 0, "own")])
      let commits = try store.commits(of: fork, after: .zero, limit: 9)
      try expectEqual(commits.map(\.lastSeq), [Seq(4), Seq(6), Seq(7)], "ends")
      try expectEqual(commits.map(\.session), [root, root, fork], "sessions")
      try expectEqual(commits[0], first, "the first")
      try expectEqual(commits[1].digest, try store.digest(of: root, at: Seq(6)), "the cut one")
      try expectEqual(commits[2], own, "its own")
      try expectEqual(try store.commits(of: fork, after: Seq(5), limit: 1), [commits[1]], "one")
    },
    Check("forks of forks go as deep as is said, and no deeper") { store in
      var newest = try store.createSession("root")
      for generation in 1...ForkLimits.generations {
        newest = try store.fork(newest, at: 0, named: "fork \(generation)")
      }
      try store.append(EventBatch(actions: 1, after: .zero), to: newest)
      try expectEqual(try store.allEvents(of: newest).count, 2, "events of the deepest")
      do {
        _ = try store.fork(newest, at: 0, named: "deeper")
        throw ContractViolation("a fork was made deeper than there can be")
      } catch EventStoreError.forkTooDeep(session: "fork \(ForkLimits.generations)") {}
      try expectEqual(try store.session(named: SessionName("deeper")) == nil, true, "no session")
    },
    Check("a fork inherits deliveries up to its cut") { store in
      let root = try store.createSession("s1")
      var batch = EventBatch(actions: 2, after: .zero)
      batch.setDelivery(Delivery("early"), at: 0)
      batch.setDelivery(Delivery("late"), at: 2)
      try store.append(batch, to: root)
      let fork = try store.fork(root, at: 2, named: "s2")
      try expectEqual(try store.delivery("early", in: fork)?.seq, Seq(1), "before the cut")
      try expectEqual(try store.delivery("late", in: fork), nil, "behind the cut")
      var own = EventBatch(actions: 2, after: Seq(2))
      own.setDelivery(Delivery("early"), at: 0)
      try expectRefusal("an inherited id", { $0.isInvalidAppend }) {
        try store.append(own, to: fork)
      }
      own = EventBatch(actions: 1, after: Seq(2))
      own.setDelivery(Delivery("late"), at: 0)
      try store.append(own, to: fork)
      try expectEqual(try store.delivery("late", in: fork)?.seq, Seq(3), "its own")
      try expectEqual(
        try store.allEvents(of: fork).map { $0.delivery?.id }, ["early", nil, "late", nil], "read")
    },
    Check("a fork has open what was open at its cut") { store in
      let root = try store.createSession("s1")
      try store.append(
        to: root,
        [(.action, 0, "a"), (.pending, 1, "p1"), (.action, 0, "b"), (.pending, 3, "p2")])
      try store.append(to: root, [(.completed, 1, ""), (.completed, 3, "")])
      for (cut, open) in [(UInt32(1), []), (3, [2]), (4, [2, 4]), (5, [4]), (6, [])] {
        let fork = try store.fork(root, at: cut, named: "at-\(cut)")
        let expected = open.map { Seq(UInt32($0)) }
        try expectEqual(try store.openEffects(of: fork).map(\.header.seq), expected, "at \(cut)")
      }
      let taken = try store.createSession("s2")
      try store.append(to: taken, [(.action, 0, "a"), (.pending, 1, "p1"), (.pending, 1, "p2")])
      for cut in [UInt32(2), 3] {
        let fork = try store.fork(taken, at: cut, named: "taken-\(cut)")
        try expectEqual(
          try store.openEffects(of: fork).map(\.header.seq), [Seq(cut)], "the newest at \(cut)")
        try store.append(to: fork, [(.pending, 1, "own")])
        try expectEqual(
          try store.openEffects(of: fork).map(\.header.seq), [Seq(cut + 1)], "taken from a parent")
      }
      try expectEqual(
        try store.openEffects(of: taken).map(\.header.seq), [Seq(3)], "that of the parent")
      let fork = try store.fork(root, at: 3, named: "ends")
      try store.append(to: fork, [(.cancelled, 1, "")])
      try expectEqual(try store.openEffects(of: fork), [], "after its end")
    },
    Check("a fork begins at an event that is there, or at zero") { store in
      let root = try store.createSession("s1", reactor: "r")
      try store.append(EventBatch(actions: 1, after: .zero), to: root)
      try expectRefusal("a fork beyond the end", { $0.isNoSuchEvent }) {
        try store.fork(root, at: 3, named: "s2")
      }
      let fork = try store.fork(root, at: 0, named: "s2")
      try expectEqual(try store.allEvents(of: fork), [], "events")
      try expectEqual(try store.tail(of: fork).digest, LogDigest(reactor: "r").digest, "digest")
      try expectEqual(
        try store.sessions().last?.parent, .init(session: root, seq: .zero), "parent")
      try expectRefusal("a taken name", { $0.isSessionExists }) {
        try store.fork(root, at: 0, named: "s1")
      }
    },
  ]

  static let snapshotChecks = [
    Check("the newest snapshot of a fold at or before a seq is found") { store in
      let session = try store.createSession("s1")
      try store.append(EventBatch(actions: 5, after: .zero), to: session)
      for seq in [UInt32(0), 4, 8] { try store.save(snapshot(seq, "f"), of: session) }
      try store.save(snapshot(6, "g"), of: session)
      for (seq, found) in [(UInt32(0), UInt32(0)), (3, 0), (4, 4), (7, 4), (10, 8)] {
        let newest = try store.snapshot(of: session, atOrBefore: Seq(seq), foldID: "f")
        try expectEqual(newest, snapshot(found, "f"), "at \(seq)")
      }
      try expectEqual(
        try store.snapshot(of: session, atOrBefore: Seq(5), foldID: "g"), nil, "too early")
      let all = try store.snapshots(of: session)
      try expectEqual(all.map(\.seq.rawValue), [0, 4, 6, 8], "all")
    },
    Check("a snapshot replaces one of the same seq and fold") { store in
      let session = try store.createSession("s1")
      try store.save(snapshot(0, "f", state: "old"), of: session)
      try store.save(snapshot(0, "f", state: "new"), of: session)
      try expectEqual(
        try store.snapshots(of: session), [snapshot(0, "f", state: "new")], "snapshots")
    },
    Check("snapshots come one at a time, by seq and then by the bytes of the fold") { store in
      let root = try store.createSession("s1")
      try store.append(EventBatch(actions: 3, after: .zero), to: root)
      let fork = try store.fork(root, at: 4, named: "s2")
      try expect(try store.nextSnapshot(of: fork, after: nil) == nil, "a snapshot of nothing")
      for (seq, fold) in [(UInt32(6), "a"), (4, "b"), (4, "a"), (0, "cafe\u{301}"), (0, "b")] {
        try store.save(snapshot(seq, fold), of: root)
      }
      try store.save(snapshot(4, "b", state: "own"), of: fork)
      try store.save(snapshot(0, "caf\u{e9}"), of: fork)
      let expected = [
        snapshot(0, "b"), snapshot(0, "cafe\u{301}"), snapshot(0, "caf\u{e9}"), snapshot(4, "a"),
        snapshot(4, "b", state: "own"),
      ]
      try expectEqual(try store.snapshots(of: fork), expected, "all")
      for (seq, fold, next) in [
        (UInt32(0), "a", 0), (0, "b", 1), (0, "c", 1), (3, "x", 3), (4, "b", 5),
      ] {
        let found = try store.nextSnapshot(of: fork, after: .init(seq: Seq(seq), foldID: fold))
        try expectEqual(found, expected[next...].first, "after \(seq) of \(fold)")
      }
    },
    Check("a snapshot goes with the commit that it is saved beside") { store in
      struct Enough: Error {}
      let session = try store.createSession("s1")
      let batch = EventBatch(actions: 1, after: .zero)
      do {
        try store.transaction { transaction in
          try transaction.append(batch, to: session, expecting: .zero, schemaVersion: 1)
          try transaction.save(snapshot(2, "f"), of: session)
          throw Enough()
        }
      } catch is Enough {}
      try expectEqual(try store.snapshots(of: session), [], "without the commit")
      try store.transaction { transaction in
        try transaction.append(batch, to: session, expecting: .zero, schemaVersion: 1)
        try transaction.save(snapshot(2, "f"), of: session)
        try expectRefusal("a snapshot at 3", { $0.isNoSuchEvent }) {
          try transaction.save(snapshot(3, "f"), of: session)
        }
      }
      try expectEqual(try store.snapshots(of: session), [snapshot(2, "f")], "with the commit")
      try expectEqual(try store.tail(of: session).version, 2, "version")
    },
    Check("a snapshot beyond the end is refused") { store in
      let session = try store.createSession("s1")
      try expectRefusal("a snapshot at 1", { $0.isNoSuchEvent }) {
        try store.save(snapshot(1, "f"), of: session)
      }
    },
    Check("of the snapshots of other folds the newest are kept") { store in
      let session = try store.createSession("s1")
      for fold in 0..<(SnapshotLimits.ofOtherFolds + 3) {
        try store.save(snapshot(0, "fold-\(fold)"), of: session)
      }
      let left = Set(try store.snapshots(of: session).map(\.foldID))
      let expected = (2..<(SnapshotLimits.ofOtherFolds + 3)).map { "fold-\($0)" }
      try expectEqual(left, Set(expected), "folds")
    },
    Check("a fork uses its parent's snapshots up to its cut") { store in
      let root = try store.createSession("s1")
      try store.append(EventBatch(actions: 3, after: .zero), to: root)
      let fork = try store.fork(root, at: 4, named: "s2")
      for seq in [UInt32(2), 4, 6] { try store.save(snapshot(seq, "f"), of: root) }
      try expectEqual(
        try store.snapshot(of: fork, atOrBefore: .max, foldID: "f"), snapshot(4, "f"), "inherited")
      try store.save(snapshot(1, "f", state: "own"), of: fork)
      try store.save(snapshot(4, "f", state: "own"), of: fork)
      try expectEqual(
        try store.snapshot(of: fork, atOrBefore: .max, foldID: "f"),
        snapshot(4, "f", state: "own"), "its own")
      try expectEqual(
        try store.snapshots(of: fork).map(\.seq.rawValue), [1, 2, 4], "all")
      try expectEqual(
        try store.snapshots(of: root).map(\.seq.rawValue), [2, 4, 6], "the parent's")
    },
  ]

  private static func snapshot(_ seq: UInt32, _ fold: String, state: String = "{}") -> Snapshot {
    Snapshot(
      seq: Seq(seq), foldID: fold, logDigest: SHA256.digest(of: "log".utf8),
      state: Array(state.utf8))
  }
}
