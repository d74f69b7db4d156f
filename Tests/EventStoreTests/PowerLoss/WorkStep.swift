import EventStoreCore
import EventStoreTesting

/// Something that is done with a store, on which two stores do the same.
enum WorkStep {
  /// All changes in one transaction.
  case transaction([Change])
  /// The WAL is emptied.
  case checkpoint
  /// The store is closed and opened again.
  case reopen

  /// What a transaction does.
  enum Change {
    case create(SessionName, at: Timestamp)
    case fork(SessionID, at: Seq, SessionName, created: Timestamp)
    case append(EventBatch, to: SessionID, expecting: Version)
    case save(Snapshot, of: SessionID)
  }

  /// Does it where it is a transaction.
  func perform(on store: any EventStore) throws {
    guard case .transaction(let changes) = self else { return }
    try store.transaction { transaction in
      for change in changes { try change.perform(in: transaction) }
    }
  }

  /// Whether it leaves something to be found.
  var isTransaction: Bool {
    if case .transaction = self { true } else { false }
  }
}

extension WorkStep.Change {
  fileprivate func perform(in transaction: any EventStoreTransaction) throws {
    switch self {
    case .create(let name, let time):
      _ = try transaction.createSession(named: name, reactor: "r", at: time)
    case .fork(let parent, let seq, let name, let time):
      _ = try transaction.fork(parent, at: seq, named: name, created: time)
    case .append(let batch, let session, let version):
      try transaction.append(batch, to: session, expecting: version, schemaVersion: 1)
    case .save(let snapshot, let session): try transaction.save(snapshot, of: session)
    }
  }
}

/// Makes up what is done next with a store that holds what a model does.
struct RandomWork {
  private var random: SeededGenerator
  private var clock: Int64 = 1_700_000_000_000_000
  private var names = 0

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// The next step, for a store that holds what `model` does.
  mutating func next(for model: InMemoryEventStore) throws -> WorkStep {
    let sessions = try model.sessions().map(\.id)
    guard let session = sessions.randomElement(using: &random) else {
      return .transaction([try create()])
    }
    switch random.below(100) {
    case 0..<5: return .transaction([try create()])
    case 5..<10: return .transaction([try fork(session, model)])
    case 10..<17: return .transaction([try save(session, model)])
    case 17..<25: return .checkpoint
    case 25..<29: return .reopen
    case 29..<40: return try several(sessions, model)
    default: return .transaction([try append(to: session, model)])
    }
  }

  /// Appends to several sessions, a session that begins, and a snapshot.
  private mutating func several(
    _ sessions: [SessionID], _ model: InMemoryEventStore
  ) throws -> WorkStep {
    var changes: [WorkStep.Change] = []
    for session in Set(sessions.prefix(3)).sorted(by: { $0.rawValue < $1.rawValue }) {
      changes.append(try append(to: session, model))
      if random.chance(0.5) { changes.append(try save(session, model)) }
    }
    let next = SessionID(Int32(sessions.count + 1))
    changes += [
      try create(), .append(EventBatch(actions: 1, after: .zero), to: next, expecting: .zero),
    ]
    return .transaction(changes)
  }

  private mutating func create() throws -> WorkStep.Change {
    names += 1
    return .create(try SessionName("s\(clock)-\(names)"), at: tick())
  }

  private mutating func fork(
    _ parent: SessionID, _ model: InMemoryEventStore
  ) throws -> WorkStep.Change {
    names += 1
    let version = try model.tail(of: parent).version.rawValue
    return .fork(
      parent, at: Seq(UInt32.random(in: 0...version, using: &random)),
      try SessionName("f\(clock)-\(names)"), created: tick())
  }

  private mutating func save(
    _ session: SessionID, _ model: InMemoryEventStore
  ) throws -> WorkStep.Change {
    let version = try model.tail(of: session).version.rawValue
    let seq = Seq(UInt32.random(in: 0...version, using: &random))
    return .save(
      Snapshot(
        seq: seq, foldID: "fold-\(random.below(3))",
        logDigest: try model.digest(of: session, at: seq),
        state: Array(repeating: UInt8(ascii: "s"), count: random.pick([10, 1000, 6000]))),
      of: session)
  }

  private mutating func append(
    to session: SessionID, _ model: InMemoryEventStore
  ) throws -> WorkStep.Change {
    let version = try model.tail(of: session).version
    var batch = EventBatch()
    var (seq, open) = (version.rawValue, try model.openEffects(of: session).map(\.header.cause))
    for _ in 0..<random.pick([1, 1, 2, 5, 40]) {
      seq += 1
      if random.chance(0.2), let ended = open.popLast() {
        add(&batch, seq, .completed, ended)
        continue
      }
      let action = Seq(seq)
      add(&batch, seq, .action, .zero)
      if random.chance(0.3) {
        names += 1
        batch.setDelivery(Delivery("id-\(clock)-\(names)"), at: batch.count - 1)
      }
      seq += 1
      add(&batch, seq, .mutation, action)
      if random.chance(0.2) {
        seq += 1
        add(&batch, seq, .pending, action)
      }
    }
    return .append(batch, to: session, expecting: version)
  }

  private mutating func add(
    _ batch: inout EventBatch, _ seq: UInt32, _ kind: EventKind, _ cause: Seq
  ) {
    let length = random.chance(0.02) ? 9000 : random.below(120)
    batch.append(
      EventHeader(seq: Seq(seq), kind: kind, cause: cause, recordedAt: tick()),
      payload: [UInt8](repeating: UInt8(ascii: "x"), count: length))
  }

  private mutating func tick() -> Timestamp {
    clock += 1
    return Timestamp(microseconds: clock)
  }
}
