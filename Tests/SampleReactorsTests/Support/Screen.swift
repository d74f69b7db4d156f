import EventStoreCore
import Foundation
import Refold

/// A session of any reactor over a store in memory.
struct Screen<R: Reactor> {
  let store: InMemoryEventStore
  let session: Session<R>

  static func open(
    _ reactor: R, store: InMemoryEventStore = InMemoryEventStore(),
    options: SessionOptions = SessionOptions()
  ) async throws -> Screen {
    Screen(
      store: store,
      session: try await Session.open(reactor, named: "s", in: store, options: options))
  }

  var state: R.State { session.currentState }

  /// Sends `action` and waits for its whole effect.
  @discardableResult
  func run(_ action: R.Action) async throws -> EffectOutcome {
    try await session.send(action).finished
  }

  /// The session's log, a line an event: `2 mutation(1) setLoading(true)`.
  func log(from first: Int = 1) async throws -> [String] {
    await session.finishEffects()
    return try events().filter { $0.header.seq.rawValue >= first }.map { event in
      let header = event.header
      let cause = header.kind == .action ? "" : "(\(header.cause))"
      return "\(header.seq) \(header.kind.name)\(cause)" + content(event)
    }
  }

  /// The names of the mutations after the event `seq`, each with its value where that is a Bool.
  func mutations(after seq: Int = 0) async throws -> [String] {
    try await log(from: seq + 1).filter { $0.contains(" mutation") }.map { line in
      String(line.split(separator: " ").last ?? "")
    }
  }

  /// A store with the log as it is now, as a killed process leaves it: whoever owned an effect
  /// that goes on is not alive any more.
  func storeOfAKilledProcess() throws -> InMemoryEventStore {
    var batch = EventBatch()
    for event in try events() {
      let payload = event.header.kind == .pending ? Array(#"{"owner":1}"#.utf8) : event.payload
      batch.append(event.header, payload: payload)
    }
    let copy = InMemoryEventStore()
    try copy.transaction { transaction in
      let info = try transaction.createSession(
        named: session.info.name, reactor: R.name, at: session.info.createdAt)
      try transaction.append(
        batch, to: info.id, expecting: .zero, schemaVersion: R.schemaVersion)
    }
    return copy
  }

  func events() throws -> [Event] {
    var events: [Event] = []
    try store.forEachEvent(of: session.info.id) { header, payload in
      events.append(Event(header: header, payload: payload.withUnsafeBytes { Array($0) }))
    }
    return events
  }

  private func content(_ event: Event) -> String {
    switch event.header.kind {
    case .action, .mutation: " " + name(event.payload)
    case .pending, .completed, .cancelled, .failed: ""
    }
  }

  private func name(_ payload: [UInt8]) -> String {
    let value = try? JSONSerialization.jsonObject(with: Data(payload), options: .fragmentsAllowed)
    guard let fields = value as? [String: [String: Any]], let field = fields.first else {
      return String(decoding: payload, as: UTF8.self)
    }
    let text = String(decoding: payload, as: UTF8.self)
    for flag in ["true", "false"] where text == "{\"\(field.key)\":{\"_0\":\(flag)}}" {
      return "\(field.key)(\(flag))"
    }
    return field.key
  }
}

extension EffectOutcome {
  var isCancelled: Bool {
    if case .cancelled = self { true } else { false }
  }
}
