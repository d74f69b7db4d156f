import EventStoreCore
import EventStoreTesting
import Testing

/// FIPS 180-4 and the vectors that NIST publishes with it.
@Suite("SHA-256 agrees with NIST")
struct SHA256Tests {
  @Test(
    "short messages",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
          + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
        "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
      ),
    ])
  func short_messages(_ message: String, _ digest: String) {
    #expect(SHA256.digest(of: message.utf8).description == digest)
    var hasher = SHA256(isPortable: true)
    hasher.update(message)
    #expect(hasher.finalized().description == digest, "without the processor's instructions")
  }

  @Test("a million times the letter a", arguments: [false, true])
  func million(isPortable: Bool) {
    let block = [UInt8](repeating: 0x61, count: 1000)
    var hasher = SHA256(isPortable: isPortable)
    for _ in 0..<1000 { hasher.update(block.span.bytes) }
    let expected = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    #expect(hasher.finalized().description == expected)
  }

  @Test("the pieces in which a message comes make no difference")
  func pieces() {
    let message = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    for length in 0...message.count {
      let whole = SHA256.digest(of: message[..<length])
      var hasher = SHA256()
      for cut in stride(from: 0, to: length, by: 37) {
        hasher.update(Array(message[cut..<min(length, cut + 37)]).span.bytes)
      }
      #expect(hasher.finalized() == whole, "at length \(length)")
    }
  }

  @Test("messages of any number of blocks come to the same with and without instructions")
  func instructions() {
    var random = SeededGenerator(seed: 256)
    for length in Array(0...200) + [1000, 4095, 4096, 100_000] {
      let message = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
      var hasher = SHA256(isPortable: true)
      hasher.update(message.span.bytes)
      #expect(SHA256.digest(of: message) == hasher.finalized(), "at length \(length)")
    }
  }
}

@Suite("The chain of a log's digests")
struct LogDigestTests {
  private let header = EventHeader(
    seq: Seq(1), kind: .action, cause: .zero, recordedAt: Timestamp(microseconds: 2))

  /// The bytes of the documentation, put together by hand.
  @Test("is made of the documented bytes")
  func bytes() {
    let start = SHA256.digest(of: Array("refold-log-1".utf8) + [1, 0, 0, 0] + Array("r".utf8))
    #expect(LogDigest(reactor: "r").digest == start)
    var chain = LogDigest(reactor: "r")
    chain.append(Event(header: header, payload: [0x7b, 0x7d]))
    let fixed: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1]
    let expected = start.bytes + fixed + [255, 255, 255, 255, 2, 0, 0, 0, 0x7b, 0x7d]
    #expect(chain.digest == SHA256.digest(of: expected))
  }

  @Test("is the same for short payloads and long ones, with a delivery and without")
  func lengths() {
    var random = SeededGenerator(seed: 57)
    var chain = LogDigest(reactor: "r")
    for length in Array(0...300) + [10_000] {
      let payload = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
      for id in [nil, "cmd-\(length)"] as [String?] {
        let before = chain.digest
        let delivery = id.map { Delivery($0) }
        chain.append(Event(header: header, payload: payload, delivery: delivery))
        var expected = before.bytes + [1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1]
        expected += id.map { littleEndian($0.utf8.count) + Array($0.utf8) } ?? [255, 255, 255, 255]
        expected += littleEndian(length) + payload
        #expect(chain.digest == SHA256.digest(of: expected), "\(length) bytes, \(id ?? "no id")")
      }
    }
  }

  @Test("is the same event by event and by the batch")
  func batches() {
    var random = SeededGenerator(seed: 16)
    for count in [0, 1, 2, 15, 16, 17, 31, 33, 100] {
      var (chain, batch) = (LogDigest(reactor: "r"), EventBatch())
      for index in 0..<count {
        let isLong = random.chance(0.1)
        let length = isLong ? Int.random(in: 190...2000, using: &random) : index % 191
        let event = Event(
          header: header, payload: Array(repeating: UInt8(index), count: length),
          delivery: random.chance(0.1) ? Delivery("cmd-\(index)") : nil)
        chain.append(event)
        batch.append(event)
      }
      var whole = LogDigest(reactor: "r")
      whole.append(contentsOf: batch)
      #expect(whole.digest == chain.digest, "\(count) events")
    }
  }

  private func littleEndian(_ number: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  @Test("changes with every part of an event")
  func parts() {
    var events = [Event(header: header, payload: [1])]
    for change in [
      { $0.header.seq = Seq(2) }, { $0.header.kind = .mutation }, { $0.header.cause = Seq(9) },
      { $0.header.recordedAt = Timestamp(microseconds: 3) }, { $0.payload = [1, 1] },
      { $0.payload = [] }, { $0.delivery = Delivery(id: "", bodyDigest: SHA256.digest(of: [])) },
      { $0.delivery = Delivery(id: "x", bodyDigest: SHA256.digest(of: [])) },
    ] as [(inout Event) -> Void] {
      var event = events[0]
      change(&event)
      events.append(event)
    }
    let digests = events.map { event in
      var chain = LogDigest(reactor: "r")
      chain.append(event)
      return chain.digest
    }
    #expect(Set(digests).count == events.count)
  }

  @Test("goes on where it was left")
  func goes_on() {
    var whole = LogDigest(reactor: "r")
    whole.append(Event(header: header, payload: [1]))
    var part = LogDigest(continuing: whole.digest)
    whole.append(Event(header: header, payload: [2]))
    part.append(Event(header: header, payload: [2]))
    #expect(part.digest == whole.digest)
  }
}
