import EventStoreCore
import EventStoreTesting
import Foundation

@testable import EventStoreSQLite

/// What `StoreRecovery` brought out of a damaged store, held to what was in it.
struct RecoveryJudgement {
  private(set) var sessions: [RecoveredSession] = []
  /// Events of sessions in the new store, those that a fork inherits not counted again.
  private(set) var inStore = 0
  private(set) var aside = 0
  private(set) var notes: [String] = []
  /// Whether everything is in the new store as it was.
  var isWhole: Bool { notes.isEmpty && sessions.allSatisfy(\.isWhole) }

  private let content: SmallStore.Content
  private var seen: Set<EventPlace> = []

  /// An event of the damaged store.
  struct EventPlace: Hashable {
    var session: Int32
    var seq: Seq
  }

  /// Recovers the store in `folder`.
  ///
  /// - Parameter intact: events that lie on pages without damage: each must be brought out.
  /// - Throws: `BrokenPromise` where an altered event passes as one that is whole, or an intact one is
  ///   left behind.
  init(
    _ folder: TemporaryFolder, _ content: SmallStore.Content, intact: Set<EventPlace>
  ) throws {
    self.content = content
    let recovery: StoreRecovery
    do {
      recovery = try StoreRecovery(of: folder.file(), reactors: ["counter"]) { _ in nil }
    } catch EventStoreError.notAStore where intact.isEmpty {
      return
    }
    let store = InMemoryEventStore()
    var lost: [LostEvent] = []
    var places: [(session: Int32, events: Range<Int>)] = []
    try recovery.run(
      into: store, bringAside: { lost.append($0) },
      report: { session in
        let before = places.last?.events.upperBound ?? 0
        places.append((session.number, before..<lost.count))
        sessions.append(session)
      })
    notes = recovery.notes
    for session in sessions where session.isInStore { try hold(session, in: store) }
    for (number, range) in places { for event in lost[range] { try hold(event, of: number) } }
    aside = lost.count
    let missing = intact.subtracting(seen)
    try require(
      missing.isEmpty,
      "recovery left behind \(missing.sorted { ($0.session, $0.seq) < ($1.session, $1.seq) })")
    var findings: [VerifyFinding] = []
    try store.verify(nil) { findings.append($0) }
    try require(findings.isEmpty, "what was recovered does not verify: \(findings)")
  }

  private mutating func hold(_ session: RecoveredSession, in store: InMemoryEventStore) throws {
    guard let found = try store.session(named: SessionName(session.name)) else {
      throw BrokenPromise("session \(session.name) is not in the new store")
    }
    let events = try store.allEvents(of: found.id)
    guard let log = content.logs.first(where: { $0.info.id.rawValue == session.number }) else {
      throw BrokenPromise("session \(session.number) was made up, with \(events.count) events")
    }
    try require(
      zip(events, log.events).allSatisfy {
        $0.header == $1.header && $0.payload == $1.payload
          && $0.delivery?.id == $1.delivery?.id
      } && events.count <= log.events.count,
      "session \(session.name) has other events than it had")
    let own = (log.info.parent?.seq ?? .zero)
    for event in events where event.header.seq > own {
      seen.insert(EventPlace(session: session.number, seq: event.header.seq))
      inStore += 1
    }
  }

  private mutating func hold(_ event: LostEvent, of session: Int32) throws {
    let log = content.logs.first { $0.info.id.rawValue == session }
    let original = log?.events.first { $0.header.seq == event.header.seq }
    let isTrue = original?.header == event.header && original?.payload == event.payload
    if event.standing == .whole {
      try require(
        isTrue, "seq \(event.header.seq) of session \(session) passes as whole, and was altered")
    }
    if isTrue { seen.insert(EventPlace(session: session, seq: event.header.seq)) }
  }
}

extension SmallStore.Content {
  /// The events that sessions have of their own.
  var ownEvents: [RecoveryJudgement.EventPlace] {
    logs.flatMap { log in
      log.events.map(\.header.seq).filter { $0 > log.info.parent?.seq ?? .zero }.map {
        RecoveryJudgement.EventPlace(session: log.info.id.rawValue, seq: $0)
      }
    }
  }
}
