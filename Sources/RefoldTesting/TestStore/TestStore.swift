import Dispatch
import EventStoreCore
import Refold
import Synchronization
import Testing

/// Runs a reactor in a test, and holds it to everything that it does.
///
///     @Test func a_profile_is_loaded() async throws {
///       let store = try await TestStore(ProfileReactor(api: .stub))
///       try await store.send(.load, mutations: [.setLoading(true)]) { $0.isLoading = true }
///       try await store.receive(.setUser("Mina")) { $0.user = "Mina" }
///       try await store.receive(.setLoading(false)) { $0.isLoading = false }
///       try await store.finish()
///     }
///
/// `send` asserts the mutations that an action gives at once, `receive` those that its effect gives
/// later, both the change of the state: the trailing closure is handed the state before, and makes
/// of it the one expected. `finish` asserts that nothing else happened and that no effect goes on.
/// A store that is let go without `finish` fails its test; `withTestStore` finishes by itself.
///
/// What runs is what runs in production: a `Session`, over a store in memory. Values are compared
/// by their JSON, so that no type has to be Equatable. What a test waits for is an event of the log,
/// never a time that passes: `timeout` only ends the wait for what does not come. Where effects
/// wait for a clock, hand the reactor a test clock and advance it between `send` and `receive`.
///
/// Call its methods one after the other. What is asserted goes by the order of the log, so what
/// effects give in the meantime is neither lost nor mixed up.
public final class TestStore<R: Reactor>: Sendable {
  /// The session that runs, for what a test does beside sending: observe states, send from others.
  public let session: Session<R>
  /// Where its log is, for tests of what another session finds there.
  public let eventStore: InMemoryEventStore

  let timeout: Duration
  let activity: Activity
  private let openedAt: SourceLocation
  private let content: Mutex<Content>

  private struct Content {
    /// Folded up to the last event that was asserted or skipped.
    var fold: Fold<R>
    var exhaustivity: Exhaustivity
    var isFinished = false
  }

  /// Opens a session of `reactor`.
  ///
  /// - Parameters:
  ///   - mutations: what has happened already, logged before the session opens: the way to the
  ///     state that a test begins with.
  ///   - eventStore: where the log is. Hand over the store of a test store that was finished, to
  ///     test what a reopened session does.
  ///   - name: the session's name.
  ///   - options: how the session behaves.
  ///   - exhaustivity: how much has to be asserted.
  ///   - timeout: how long, in real time, to wait for what effects give. Where no effect goes on,
  ///     so that only a transform could still give something, the wait is at most a second.
  /// - Throws: what opening a session throws.
  public init(
    _ reactor: R, given mutations: [R.Mutation] = [],
    in eventStore: InMemoryEventStore = InMemoryEventStore(), session name: String = "test",
    options: SessionOptions = SessionOptions(), exhaustivity: Exhaustivity = .on,
    timeout: Duration = .seconds(5), sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let activity = Activity()
    let info = try Self.prepare(name, given: mutations, in: eventStore, at: options.now())
    var fold = Fold(reactor, session: name)
    try fold.advance(through: .max, of: info.id, in: eventStore)
    content = Mutex(Content(fold: fold, exhaustivity: exhaustivity))
    session = try await Session.open(
      reactor, named: name, in: eventStore, options: Self.observed(options, by: activity))
    self.eventStore = eventStore
    self.timeout = timeout
    self.activity = activity
    openedAt = sourceLocation
  }

  /// The state up to the last event that was asserted or skipped; what effects gave since then is
  /// not in it yet. What observers see is `session.currentState`.
  public var state: R.State { content.withLock { $0.fold.state } }

  /// How much of what happens from now on has to be asserted.
  public var exhaustivity: Exhaustivity {
    get { content.withLock { $0.exhaustivity } }
    set { content.withLock { $0.exhaustivity = newValue } }
  }

  deinit {
    if content.withLock({ $0.isFinished }) { return }
    report(
      """
      This test store was let go without finish(), so nothing tells whether more happened than the \
      test asserts. End the test with `try await store.finish()`, or use withTestStore, which does.
      """, at: openedAt)
    Task { [session] in try? await session.close() }
  }
}

extension TestStore {
  private static func prepare(
    _ name: String, given mutations: [R.Mutation], in store: InMemoryEventStore, at time: Timestamp
  ) throws -> SessionInfo {
    let sessionName = try SessionName(name)
    return try store.transaction { transaction in
      let info =
        try transaction.session(named: sessionName)
        ?? transaction.createSession(named: sessionName, reactor: R.name, at: time)
      let tail = try transaction.tail(of: info.id)
      var batch = EventBatch()
      for (index, mutation) in mutations.enumerated() {
        let header = EventHeader(
          seq: tail.version.advanced(by: index + 1) ?? .max, kind: .mutation, cause: .zero,
          recordedAt: max(time, tail.recordedAt))
        batch.append(header, payload: try EventCodec().encode(mutation))
      }
      if !batch.isEmpty {
        try transaction.append(
          batch, to: info.id, expecting: tail.version, schemaVersion: R.schemaVersion)
      }
      return info
    }
  }

  private static func observed(
    _ options: SessionOptions, by activity: Activity
  ) -> SessionOptions {
    var observed = options
    observed.onCommit = { commit, events in
      options.onCommit?(commit, events)
      activity.note()
    }
    observed.onIssue = { issue in
      options.onIssue?(issue)
      activity.note(issue)
    }
    return observed
  }
}

// The log behind what was asserted.
extension TestStore {
  /// The events that nothing has asserted, up to and including `last`, oldest first.
  func unasserted(through last: Seq = .max) throws -> [Event] {
    let asserted = content.withLock { $0.fold.seq }
    var events: [Event] = []
    try eventStore.forEachEvent(of: session.info.id, after: asserted, through: last) {
      header, payload in
      events.append(Event(header: header, payload: payload.withUnsafeBytes { Array($0) }))
    }
    return events
  }

  /// Takes `events`, the next ones, as asserted.
  /// - Throws: `SessionError.undecodable`.
  func move(past events: some Sequence<Event>) throws {
    try content.withLock { content in
      for event in events { try content.fold.apply(event.header, event.payload.span.bytes) }
    }
  }

  /// Takes note that nothing more will be asserted.
  /// - Returns: whether it is the first time.
  func markFinished() -> Bool {
    content.withLock { content in
      defer { content.isFinished = true }
      return !content.isFinished
    }
  }

  /// Fails the test at `location`.
  func report(_ message: String, at location: SourceLocation) {
    Issue.record(Comment(rawValue: message), sourceLocation: location)
  }

  /// Says what a test that need not assert everything has left out, where it wants to know.
  func reportSkipped(_ message: String, at location: SourceLocation) {
    guard exhaustivity == .off(showSkipped: true) else { return }
    withKnownIssue("skipped, because exhaustivity is off", sourceLocation: location) {
      report(message, at: location)
    }
  }

  /// Fails the test for what the session complained of since the last time.
  func reportSessionIssues(at location: SourceLocation) {
    for issue in activity.takeIssues() {
      report("The session reports a mistake: \(issue).", at: location)
    }
  }
}
