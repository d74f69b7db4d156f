import EventStoreCore

/// Takes the same random steps on two stores, and compares all that they answer.
///
///     var comparison = StoreComparison(model: InMemoryEventStore(), store: mine, seed: 7)
///     try comparison.run(steps: 500)
///
/// What it throws names the seed and the step, by which it can be run again.
public struct StoreComparison {
  private let model: any EventStore
  private let store: any EventStore
  private let seed: UInt64
  private var random: SeededGenerator
  private var sessions: [SessionID] = []
  private var clock: Int64 = 1_700_000_000_000_000
  private var names = 0

  /// A comparison of `store` with `model`, both new and empty.
  public init(model: any EventStore, store: any EventStore, seed: UInt64) {
    self.model = model
    self.store = store
    self.seed = seed
    random = SeededGenerator(seed: seed)
  }

  /// Takes `steps` random steps, and compares after each.
  /// - Throws: `ContractViolation` at the first difference; what the stores throw.
  public mutating func run(steps: Int) throws {
    for step in 1...steps {
      let what = try take()
      do {
        try compareAtRandom()
        if step.isMultiple(of: 50) { for session in sessions { try compareAll(of: session) } }
      } catch {
        throw ContractViolation("seed \(seed), step \(step), after \(what): \(error)")
      }
    }
    try verify()
  }

  // MARK: Steps

  private mutating func take() throws -> String {
    guard let session = sessions.randomElement(using: &random) else { return try create() }
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<5: return try create()
    case 5..<12: return try fork(session)
    case 12..<25: return try save(session)
    case 25..<35: return try conflict(session)
    case 35..<45: return try breakRule(session)
    default: return try append(to: session)
    }
  }

  private mutating func create() throws -> String {
    // Now and then a name that is taken.
    if !random.chance(0.1) { names += 1 }
    let name = try SessionName("s\(max(1, names))")
    let time = tick()
    return try both("creation of \(name)") { store in
      try store.transaction { try $0.createSession(named: name, reactor: "r", at: time) }
    }
  }

  private mutating func fork(_ parent: SessionID) throws -> String {
    names += 1
    let name = try SessionName("s\(names)")
    let version = try model.tail(of: parent).version.rawValue
    let seq = Seq(UInt32.random(in: 0...(version + 1), using: &random))
    let time = tick()
    return try both("fork \(name) of \(parent.rawValue) at \(seq)") { store in
      try store.transaction { try $0.fork(parent, at: seq, named: name, created: time) }
    }
  }

  private mutating func save(_ session: SessionID) throws -> String {
    let version = try model.tail(of: session).version.rawValue
    let seq = Seq(UInt32.random(in: 0...(version + 1), using: &random))
    let snapshot = Snapshot(
      seq: seq, foldID: "fold-\(Int.random(in: 0..<12, using: &random))",
      logDigest: seq.rawValue > version
        ? SHA256.digest(of: []) : try model.digest(of: session, at: seq),
      state: Array("{\"step\":\(tick().microseconds)}".utf8))
    return try both("snapshot of \(session.rawValue) at \(seq)") {
      try $0.save(snapshot, of: session)
      return true
    }
  }

  private mutating func conflict(_ session: SessionID) throws -> String {
    let version = try model.tail(of: session).version
    let expected = Seq(UInt32.random(in: 0...(version.rawValue + 1), using: &random))
    return try append(try batch(for: session), to: session, expecting: expected)
  }

  private mutating func append(to session: SessionID) throws -> String {
    try append(
      try batch(for: session), to: session, expecting: try model.tail(of: session).version)
  }

  /// An append of events that may be anything.
  private mutating func breakRule(_ session: SessionID) throws -> String {
    let version = try model.tail(of: session).version
    var batch = EventBatch()
    for index in 0..<UInt32.random(in: 1...3, using: &random) {
      let seq = version.rawValue + index + 1
      let header = EventHeader(
        seq: Seq(random.chance(0.9) ? seq : seq + 1),
        kind: EventKind.allCases.randomElement(using: &random) ?? .action,
        cause: Seq(UInt32.random(in: 0...seq, using: &random)), recordedAt: tick())
      batch.append(header, payload: "{}".utf8)
    }
    return try append(batch, to: session, expecting: version)
  }

  private mutating func append(
    _ batch: EventBatch, to session: SessionID, expecting version: Version
  ) throws -> String {
    try both("append of \(batch.count) to \(session.rawValue) expecting \(version)") {
      try $0.append(batch, to: session, expecting: version, schemaVersion: batch.count)
    }
  }

  /// Events that keep the rules: actions, their mutations, effects that begin, change hands and end.
  private mutating func batch(for session: SessionID) throws -> EventBatch {
    var batch = EventBatch()
    var open = try model.openEffects(of: session).map(\.header.cause)
    var seq = try model.tail(of: session).version.rawValue
    for _ in 0..<Int.random(in: 1...40, using: &random) {
      seq += 1
      let ended = random.chance(0.2) ? open.popLast() : nil
      if let ended {
        add(&batch, seq, [.completed, .cancelled, .failed].randomElement(using: &random), ended)
        continue
      }
      if random.chance(0.1), let taken = open.randomElement(using: &random) {
        add(&batch, seq, .pending, taken)
        continue
      }
      add(&batch, seq, .action, .zero)
      if random.chance(0.3) {
        let id = "id-\(Int.random(in: 0..<400, using: &random))"
        batch.setDelivery(Delivery(id), at: batch.count - 1)
      }
      let action = Seq(seq)
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        seq += 1
        add(&batch, seq, .mutation, action)
      }
      if random.chance(0.2) {
        seq += 1
        add(&batch, seq, .pending, action)
        open.insert(action, at: 0)
      } else if random.chance(0.05) {
        seq += 1
        add(&batch, seq, .failed, action)
      }
    }
    return batch
  }

  private mutating func add(
    _ batch: inout EventBatch, _ seq: UInt32, _ kind: EventKind?, _ cause: Seq
  ) {
    let length = Int.random(in: 0..<(random.chance(0.003) ? 100_000 : 100), using: &random)
    batch.append(
      EventHeader(seq: Seq(seq), kind: kind ?? .action, cause: cause, recordedAt: tick()),
      payload: repeatElement(UInt8(ascii: "x"), count: length))
  }

  /// A time that often does not move.
  private mutating func tick() -> Timestamp {
    if random.chance(0.7) { clock += 1 }
    return Timestamp(microseconds: clock)
  }

  /// Does the same with both stores, which must answer or refuse alike.
  private mutating func both<T: Equatable>(
    _ what: String, _ step: (any EventStore) throws -> T
  ) throws -> String {
    let (expected, found) = (outcome { try step(model) }, outcome { try step(store) })
    try expectEqual(found, expected, "seed \(seed): \(what)")
    sessions = try model.sessions().map(\.id)
    return what
  }

  private enum Outcome<T: Equatable>: Equatable {
    case answer(T)
    case refusal(String)
  }

  private func outcome<T: Equatable>(_ step: () throws -> T) -> Outcome<T> {
    do { return .answer(try step()) } catch { return .refusal("\(error)") }
  }

  // MARK: Comparing

  private mutating func compareAtRandom() throws {
    try expectEqual(try store.sessions(), try model.sessions(), "sessions")
    try expectEqual(try store.newestSession(), try model.newestSession(), "newest session")
    guard let session = sessions.randomElement(using: &random) else { return }
    let tail = try model.tail(of: session)
    try expectEqual(try store.tail(of: session), tail, "tail of \(session)")
    let (first, second) = (place(in: tail), place(in: tail))
    try comparePage(of: session, after: min(first, second), through: max(first, second))
    try compare("digest at \(first)") { try $0.digest(of: session, at: first) }
    try compare("open effects") { try $0.openEffects(of: session) }
    try compare("snapshots") { try $0.snapshots(of: session) }
    let fold = "fold-\(Int.random(in: 0..<12, using: &random))"
    try compare("snapshot of \(fold) at \(first)") {
      try $0.snapshot(of: session, atOrBefore: first, foldID: fold)
    }
    let id = "id-\(Int.random(in: 0..<400, using: &random))"
    try compare("delivery \(id)") { try $0.delivery(id, in: session) }
    let limit = Int.random(in: 0..<5, using: &random)
    try compare("commits after \(first)") {
      try $0.commits(of: session, after: first, limit: limit)
    }
    let time = Timestamp(microseconds: clock - Int64.random(in: 0..<200, using: &random))
    try compare("seq at \(time)") { try $0.seq(of: session, at: time) }
  }

  private mutating func place(in tail: Tail) -> Seq {
    Seq(UInt32.random(in: 0...tail.version.rawValue, using: &random))
  }

  private func comparePage(of session: SessionID, after: Seq, through: Seq) throws {
    var (expected, found) = (EventBatch(), EventBatch())
    try model.read(session, after: after, through: through, into: &expected)
    try store.read(session, after: after, through: through, into: &found)
    let what = "page of \(session.rawValue) after \(after) through \(through)"
    try expectSame(found.events, expected.events, what)
  }

  private func expectSame(_ found: [Event], _ expected: [Event], _ what: String) throws {
    for (one, other) in zip(found, expected) where one != other {
      throw ContractViolation("\(what): expected \(brief(other)), found \(brief(one))")
    }
    try expectEqual(found.count, expected.count, what)
  }

  private func brief(_ event: Event) -> String {
    let header = event.header
    return "\(header.seq) \(header.kind) of \(header.cause) at \(header.recordedAt), "
      + "\(event.payload.count) bytes, delivery \(event.delivery?.id ?? "none")"
  }

  private func compareAll(of session: SessionID) throws {
    try expectSame(
      try store.allEvents(of: session), try model.allEvents(of: session),
      "all events of \(session.rawValue)")
    try compare("all commits") { try $0.commits(of: session, after: .zero, limit: .max) }
  }

  private func compare<T: Equatable>(
    _ what: String, _ question: (any EventStore) throws -> T
  ) throws {
    try expectEqual(try question(store), try question(model), what)
  }

  private func verify() throws {
    var problem: String?
    for store in [store, model] {
      try store.verify(nil) { finding in problem = problem ?? "\(finding)" }
    }
    if let problem { throw ContractViolation("seed \(seed): verify found \(problem)") }
  }
}
