import EventStoreCore
import Refold

/// A session of a sample over a store in memory, and its log for people.
struct Recorded<R: Reactor>: Sendable {
  let store: InMemoryEventStore
  let session: Session<R>

  static func open(
    _ reactor: R, store: InMemoryEventStore = InMemoryEventStore(),
    options: SessionOptions = SessionOptions()
  ) async throws -> Recorded {
    let session = try await Session.open(reactor, named: "s", in: store, options: options)
    return Recorded(store: store, session: session)
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
      return "\(header.seq) \(header.kind.name)\(cause)" + (try content(event))
    }
  }

  /// The mutations that came of the action at `cause`, in order, without their values.
  func mutations(of cause: Seq) async throws -> [String] {
    await session.finishEffects()
    return try events().filter { $0.header.kind == .mutation && $0.header.cause == cause }
      .map { Self.name(try EventCodec().decode(R.Mutation.self, from: $0.payload)) }
  }

  func events() throws -> [Event] {
    var events: [Event] = []
    try store.forEachEvent(of: session.info.id) { header, payload in
      events.append(Event(header: header, payload: payload.withUnsafeBytes { Array($0) }))
    }
    return events
  }

  private func content(_ event: Event) throws -> String {
    switch event.header.kind {
    case .action: " " + Self.name(try EventCodec().decode(R.Action.self, from: event.payload))
    case .mutation: " " + Self.name(try EventCodec().decode(R.Mutation.self, from: event.payload))
    case .pending, .completed, .cancelled, .failed: ""
    }
  }

  /// The name of the case, with its value where that is short.
  private static func name(_ value: some Any) -> String {
    guard let child = Mirror(reflecting: value).children.first, let name = child.label else {
      return "\(value)"
    }
    if child.value is Bool { return "\(name)(\(child.value))" }
    if let word = child.value as? any RawRepresentable<String> {
      return "\(name)(\(word.rawValue))"
    }
    return name
  }
}

extension EffectOutcome {
  /// How it ended, in one word.
  var word: String {
    switch self {
    case .completed: "completed"
    case .cancelled: "cancelled"
    case .failed: "failed"
    }
  }
}
