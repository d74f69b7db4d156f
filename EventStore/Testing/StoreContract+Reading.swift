import EventStoreCore

extension StoreContract {
  static let readingChecks = [
    Check("a page starts behind a seq and ends with another") { store in
      let session = try store.createSession("s1")
      try store.append(EventBatch(actions: 3, after: .zero), to: session)
      try store.append(EventBatch(actions: 3, after: Seq(6)), to: session)
      let all = try store.allEvents(of: session)
      var page = EventBatch()
      for first in 0...12 {
        for last in 0...13 {
          try store.read(
            session, after: Seq(UInt32(first)), through: Seq(UInt32(last)), into: &page)
          let expected = first < last ? Array(all[first..<min(12, last)]) : []
          try expectEqual(page.events, expected, "after \(first) through \(last)")
        }
      }
    },
    Check("a page is full with \(PageLimits.events) events") { store in
      let session = try store.createSession("s1")
      try store.append(EventBatch(actions: PageLimits.events, after: .zero), to: session)
      var page = EventBatch()
      try store.read(session, after: Seq(1), through: .max, into: &page)
      try expectEqual(page.count, PageLimits.events, "events")
      try expectEqual(page.headers[0].seq, Seq(2), "first")
      try expectEqual(try store.allEvents(of: session).count, 2 * PageLimits.events, "all")
    },
    Check("a page is full with \(PageLimits.bytes) bytes, and holds at least one event") { store in
      let session = try store.createSession("s1")
      let half = String(repeating: "x", count: PageLimits.bytes / 2)
      let large = String(repeating: "y", count: PageLimits.bytes * 2)
      try store.append(
        to: session, [(.action, 0, half), (.action, 0, half), (.action, 0, large)])
      var page = EventBatch()
      try store.read(session, after: .zero, through: .max, into: &page)
      try expectEqual(page.count, 2, "events of half a page")
      try store.read(session, after: Seq(2), through: .max, into: &page)
      try expectEqual(page.count, 1, "events larger than a page")
    },
    Check("of a page for a fold only mutations have their payloads") { store in
      let root = try store.createSession("s1")
      let long = String(repeating: "x", count: PageLimits.bytes)
      try store.append(
        to: root, [(.action, 0, long), (.mutation, 1, "m"), (.pending, 1, "p"), (.failed, 1, "f")])
      let fork = try store.fork(root, at: 4, named: "s2")
      var batch = EventBatch(after: Seq(4), [(.action, 0, long), (.mutation, 0, "n")])
      batch.setDelivery(Delivery("cmd-1"), at: 0)
      try store.append(batch, to: fork)
      let expected = try store.allEvents(of: fork).map { event in
        var event = event
        if event.header.kind != .mutation { event.payload = [] }
        return event
      }
      var page = EventBatch()
      try store.read(fork, after: .zero, through: .max, payloads: .mutations, into: &page)
      try expectEqual(page.events, expected, "events")
      var lent: [Event] = []
      try store.forEachEvent(of: fork, after: Seq(1), payloads: .mutations) { header, payload in
        lent.append(Event(header: header, payload: payload.withUnsafeBytes { Array($0) }))
      }
      try expectEqual(lent.map(\.payload), expected.dropFirst().map(\.payload), "payloads lent")
    },
    Check("every event of a long log is lent once, in order, also while others append") { store in
      let root = try store.createSession("s1")
      for page in 0..<UInt32(8) {
        try store.append(
          EventBatch(actions: PageLimits.events / 2, after: Seq(page * UInt32(PageLimits.events))),
          to: root)
      }
      let fork = try store.fork(root, at: UInt32(PageLimits.events * 7 - 1), named: "s2")
      for (session, last) in [(root, Seq.max), (fork, .max), (root, Seq(5000)), (fork, Seq(2049))] {
        let all = try store.allEvents(of: session)
        let end = min(all.count, Int(last.rawValue))
        for first in [0, 1, 1024, 4999] {
          var reached = first
          try store.forEachEvent(of: session, after: Seq(UInt32(first)), through: last) {
            try expectEqual($0, all[reached].header, "header")
            try expectEqual($1.withUnsafeBytes { Array($0) }, all[reached].payload, "payload")
            reached += 1
          }
          try expectEqual(reached, max(first, end), "the end, from \(first) through \(last)")
        }
      }
      var count = 0
      try store.forEachEvent(of: fork) { header, _ in
        count += 1
        if header.seq == Seq(1) { try store.append(to: fork, [(.action, 0, "new")]) }
      }
      try expectEqual(count, try store.allEvents(of: fork).count, "with what was appended")
    },
    Check("a visit of a long log that is broken off leaves the store as it was") { store in
      let session = try store.createSession("s1")
      try store.append(EventBatch(actions: 4 * PageLimits.events, after: .zero), to: session)
      for end in [UInt32(1), 1024, 1025, 5000] {
        try expectRefusal("breaking off at \(end)", { $0 == .closed }) {
          try store.forEachEvent(of: session) { header, _ in
            if header.seq == Seq(end) { throw EventStoreError.closed }
          }
        }
      }
      try expectEqual(try store.allEvents(of: session).count, 8 * PageLimits.events, "events")
    },
    Check("the digest at every seq is that of the events up to there") { store in
      let session = try store.createSession("s1", reactor: "r")
      try store.append(EventBatch(actions: 3, after: .zero), to: session)
      try store.append(EventBatch(actions: 2, after: Seq(6)), to: session)
      var chain = LogDigest(reactor: "r")
      try expectEqual(try store.digest(of: session, at: .zero), chain.digest, "at 0")
      for event in try store.allEvents(of: session) {
        chain.append(event)
        let seq = event.header.seq
        try expectEqual(try store.digest(of: session, at: seq), chain.digest, "at \(seq)")
      }
      try expectRefusal("a digest beyond the end", { $0.isNoSuchEvent }) {
        _ = try store.digest(of: session, at: Seq(11))
      }
    },
    Check("the seq at a time is the last one recorded by then") { store in
      let session = try store.createSession("s1")
      var batch = EventBatch()
      for (index, time) in [10, 20, 20, 20, 30].enumerated() {
        let header = EventHeader(
          seq: Seq(UInt32(index) + 1), kind: .action, cause: .zero,
          recordedAt: Timestamp(microseconds: Int64(time)))
        batch.append(header, payload: "1".utf8)
      }
      try store.append(batch, to: session)
      for (time, seq) in [(9, 0), (10, 1), (19, 1), (20, 4), (29, 4), (30, 5), (99, 5)] {
        try expectEqual(
          try store.seq(of: session, at: Timestamp(microseconds: Int64(time))),
          Seq(UInt32(seq)), "at \(time)")
      }
    },
  ]

  static let effectChecks = [
    Check("effects are open from their pending event to their end") { store in
      let session = try store.createSession("s1")
      try store.append(
        to: session,
        [(.action, 0, "1"), (.pending, 1, "p1"), (.action, 1, "2"), (.pending, 3, "p2")])
      let open = try store.openEffects(of: session)
      try expectEqual(open.map(\.header.seq), [Seq(2), Seq(4)], "open")
      try expectEqual(open.map(\.payload), [Array("p1".utf8), Array("p2".utf8)], "owners")
      try store.append(to: session, [(.mutation, 1, "m"), (.completed, 1, "")])
      try expectEqual(try store.openEffects(of: session).map(\.header.cause), [Seq(3)], "left")
      try store.append(to: session, [(.failed, 3, "error")])
      try expectEqual(try store.openEffects(of: session), [], "at the end")
    },
    Check("an effect may begin and end in one commit, and begin again") { store in
      let session = try store.createSession("s1")
      try store.append(
        to: session,
        [(.action, 0, "1"), (.pending, 1, "a"), (.cancelled, 1, ""), (.pending, 1, "b")])
      try expectEqual(try store.openEffects(of: session).map(\.header.seq), [Seq(4)], "open")
      try store.append(to: session, [(.completed, 1, ""), (.pending, 1, "c")])
      try expectEqual(try store.openEffects(of: session).map(\.header.seq), [Seq(6)], "again")
    },
    Check("a pending event for an open effect takes it over, and one end ends it") { store in
      let session = try store.createSession("s1")
      try store.append(
        to: session, [(.action, 0, "1"), (.pending, 1, "a"), (.action, 0, "2"), (.pending, 3, "b")])
      try store.append(to: session, [(.pending, 1, "c")])
      let taken = try store.openEffects(of: session)
      try expectEqual(taken.map(\.header.seq), [Seq(4), Seq(5)], "taken over")
      try expectEqual(taken.map(\.header.cause), [Seq(3), Seq(1)], "causes")
      try expectEqual(taken.map(\.payload), [Array("b".utf8), Array("c".utf8)], "owners")
      try store.append(to: session, [(.pending, 3, "d"), (.pending, 3, "e"), (.completed, 1, "")])
      let left = try store.openEffects(of: session)
      try expectEqual(left.map(\.header.seq), [Seq(7)], "taken over twice in one commit")
      try expectEqual(left.map(\.payload), [Array("e".utf8)], "the newest owner")
      try store.append(to: session, [(.pending, 3, "f"), (.cancelled, 3, "")])
      try expectEqual(try store.openEffects(of: session), [], "ended in the commit that took it")
      try expectRefusal("a second end", { $0.isInvalidAppend }) {
        try store.append(to: session, [(.completed, 3, "")])
      }
    },
    Check("an effect that fails in its action's first step was never pending") { store in
      let session = try store.createSession("s1")
      try store.append(to: session, [(.action, 0, "1"), (.failed, 1, "error")])
      try expectEqual(try store.openEffects(of: session), [], "open")
    },
  ]

  static let deliveryChecks = [
    Check("a delivery is found by its id, and read with its event") { store in
      let session = try store.createSession("s1")
      var batch = EventBatch(actions: 2, after: .zero)
      batch.setDelivery(Delivery("cmd-1"), at: 2)
      try store.append(batch, to: session)
      let found = try store.delivery("cmd-1", in: session)
      try expectEqual(found, RecordedDelivery(seq: Seq(3), delivery: Delivery("cmd-1")), "found")
      try expectEqual(try store.delivery("cmd-2", in: session), nil, "another id")
      try expectEqual(try store.allEvents(of: session), batch.events, "events")
      let other = try store.createSession("s2")
      try expectEqual(try store.delivery("cmd-1", in: other), nil, "another session")
    },
    Check("a delivery id is taken once, and compared by bytes") { store in
      let session = try store.createSession("s1")
      var batch = EventBatch(actions: 1, after: .zero)
      batch.setDelivery(Delivery("caf\u{e9}"), at: 0)
      try store.append(batch, to: session)
      var second = EventBatch(actions: 2, after: Seq(2))
      second.setDelivery(Delivery("caf\u{e9}", body: "another"), at: 0)
      try expectRefusal("the id again", { $0.isInvalidAppend }) {
        try store.append(second, to: session)
      }
      second.setDelivery(Delivery("cafe\u{301}"), at: 0)
      second.setDelivery(Delivery("cafe\u{301}"), at: 2)
      try expectRefusal("an id twice in a batch", { $0.isInvalidAppend }) {
        try store.append(second, to: session)
      }
      second.setDelivery(Delivery("x"), at: 2)
      try store.append(second, to: session)
      try expectEqual(
        try store.delivery("cafe\u{301}", in: session)?.seq, Seq(3), "the other spelling")
    },
    Check("a delivery stands on an action and has an id") { store in
      let session = try store.createSession("s1")
      var batch = EventBatch(actions: 1, after: .zero)
      batch.setDelivery(Delivery("cmd-1"), at: 1)
      try expectRefusal("a delivered mutation", { $0.isInvalidAppend }) {
        try store.append(batch, to: session)
      }
      batch = EventBatch(actions: 1, after: .zero)
      batch.setDelivery(Delivery(""), at: 0)
      try expectRefusal("an empty id", { $0.isInvalidAppend }) {
        try store.append(batch, to: session)
      }
    },
  ]

  static let lifeChecks = [
    Check("an owner is alive as long as its token") { store in
      var token: (any OwnerToken)? = try store.claimOwnership()
      let second = try store.claimOwnership()
      let owner = token?.owner ?? 0
      try expect(owner > 0 && owner < 1 << 53, "owner \(owner) is out of range")
      try expect(owner != second.owner, "two owners are one")
      try expect(try store.isAlive(owner), "owner \(owner) counts as dead")
      token = nil
      try expect(try !store.isAlive(owner), "owner \(owner) is alive without its token")
      try expect(try store.isAlive(second.owner), "owner \(second.owner) went with another")
      for number in [0, 1, UInt64.max] {
        try expect(try !store.isAlive(number), "owner \(number) is alive")
      }
    },
    Check("a closed store refuses every call, and can be closed again") { store in
      let session = try store.createSession("s1")
      try store.close()
      try store.close()
      try expectRefusal("sessions", { $0 == .closed }) { _ = try store.sessions() }
      try expectRefusal("tail", { $0 == .closed }) { _ = try store.tail(of: session) }
      try expectRefusal("transaction", { $0 == .closed }) { try store.transaction { _ in } }
    },
  ]
}
