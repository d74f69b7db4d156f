import EventStoreCore
import JSONTree
import Refold
import Testing

extension TestStore {
  /// Asserts that `first`, and then `rest`, are the next mutations: those that effects give, and
  /// those that come from outside any action. Waits for them where they have not come yet.
  ///
  ///     try await store.receive(.setUser("Mina")) { $0.user = "Mina" }
  ///
  /// - Parameters:
  ///   - timeout: how long to wait for each, in real time; nil for the store's own.
  ///   - change: makes the state expected after the last one of the state before the first; see
  ///     `send`.
  /// - Throws: what `change` throws. A failed assertion is an issue of the test.
  nonisolated(nonsending) public func receive(
    _ first: R.Mutation, _ rest: R.Mutation..., timeout: Duration? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ change: ((inout R.State) throws -> Void)? = nil
  ) async throws {
    let before = state
    for mutation in [first] + rest {
      let call = AssertedCall("receive(\(Self.short(mutation)))", at: sourceLocation)
      let expected = try JSONValue(encoding: mutation)
      let found = try await next(call, within: timeout) { event in
        event.header.kind == .mutation && JSONValue(payload: event.payload) == expected
      }
      guard let found else { return }
      try take(found, call)
      let diff = ValueDiff(from: expected, to: JSONValue(payload: found.payload))
      if found.header.kind != .mutation || !diff.isEmpty {
        try reportUnexpected(found, instead: diff, call)
      }
    }
    let call = AssertedCall("receive(\(Self.short(rest.last ?? first)))", at: sourceLocation)
    try compareState(before: before, change, call)
    reportSessionIssues(at: sourceLocation)
  }

  /// Asserts that the next mutation is one for which `matches` holds: for those with a value that a
  /// test does not know.
  ///
  /// - Parameters:
  ///   - timeout: how long to wait for it, in real time; nil for the store's own.
  ///   - change: see `send`.
  /// - Returns: the mutation; nil where none came, which is an issue of the test.
  /// - Throws: what `matches` and `change` throw.
  @discardableResult
  nonisolated(nonsending) public func receive(
    matching matches: (R.Mutation) throws -> Bool, timeout: Duration? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ change: ((inout R.State) throws -> Void)? = nil
  ) async throws -> R.Mutation? {
    let call = AssertedCall("receive(matching:)", at: sourceLocation)
    let before = state
    let found = try await next(call, within: timeout) { event in
      guard event.header.kind == .mutation else { return false }
      return try matches(try EventCodec().decode(R.Mutation.self, from: event.payload))
    }
    guard let found else { return nil }
    try take(found, call)
    guard found.header.kind == .mutation else {
      try reportUnexpected(found, instead: nil, call)
      return nil
    }
    let mutation = try EventCodec().decode(R.Mutation.self, from: found.payload)
    if try !matches(mutation) { try reportUnexpected(found, instead: nil, call) }
    try compareState(before: before, change, call)
    reportSessionIssues(at: sourceLocation)
    return mutation
  }

  /// Asserts that the next thing that happened is that an effect ended with `error`, which nobody
  /// caught. Errors are compared by type and description.
  ///
  /// - Parameter timeout: how long to wait for it, in real time; nil for the store's own.
  nonisolated(nonsending) public func receive(
    failure error: any Error, timeout: Duration? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let call = AssertedCall("receive(failure: \(Self.short(error)))", at: sourceLocation)
    let expected = Self.payload(of: error)
    let found = try await next(call, within: timeout) { event in
      event.header.kind == .failed && JSONValue(payload: event.payload) == expected
    }
    guard let found else { return }
    try take(found, call)
    let diff = ValueDiff(from: expected, to: JSONValue(payload: found.payload))
    if found.header.kind != .failed || !diff.isEmpty {
      try reportUnexpected(found, instead: diff, call)
    }
    reportSessionIssues(at: sourceLocation)
  }
}

// Waiting for what comes.
extension TestStore {
  /// The next event that a test has to assert; where exhaustivity is off, the next for which
  /// `matches` holds. nil, and an issue, where none comes in time.
  nonisolated(nonsending) func next(
    _ call: AssertedCall, within timeout: Duration?, matching matches: (Event) throws -> Bool
  ) async throws -> Event? {
    let timeout = timeout ?? self.timeout
    let found = try await wait(upTo: timeout) { [exhaustivity] events in
      try events.first { try exhaustivity.isOn || matches($0) }
    }
    if found == nil {
      let others = try unasserted().filter(Self.isToBeAsserted)
      report(
        """
        \(call.name): it did not come within \(timeout). \(try effectsInWords())
        \(others.isEmpty ? "" : Self.list(others, "This came instead:") + "\n\n")\
        Let it come before: answer what its effect waits for, advance the test clock, or give a \
        longer `timeout:`. Else leave the receive out, or change mutate(action:state:).
        """, at: call.location)
    }
    return found
  }

  /// Takes `event` as asserted, and what lies before it as skipped.
  private func take(_ event: Event, _ call: AssertedCall) throws {
    let events = try unasserted(through: event.header.seq)
    try move(past: events)
    reportUnasserted(events.dropLast(), call, "came before it and was skipped.")
  }

  /// What `pick` finds in the events that have to be asserted, as soon as it finds something.
  private nonisolated(nonsending) func wait(
    upTo timeout: Duration, _ pick: ([Event]) throws -> Event?
  ) async throws -> Event? {
    let patience = Patience(timeout)
    var idlePatience: Patience?
    while true {
      let count = activity.count
      if let event = try pick(try unasserted().filter(Self.isToBeAsserted)) { return event }
      if session.isTrue(.idle) {
        idlePatience = idlePatience ?? Patience(min(timeout, patienceWithoutEffects))
      } else {
        idlePatience = nil
        session.when(.idle) { [activity] in activity.note() }
      }
      if patience.isOver || idlePatience?.isOver == true { return nil }
      await activity.next(after: count, or: idlePatience ?? patience)
    }
  }

  /// How long to wait when no effect goes on.
  private var patienceWithoutEffects: Duration { .seconds(1) }

  /// Whether `event` is one that a test has to assert: how effects begin and end is not, unless
  /// they fail.
  static func isToBeAsserted(_ event: Event) -> Bool {
    switch event.header.kind {
    case .action, .mutation, .failed: true
    case .pending, .completed, .cancelled: false
    }
  }

  /// Which effects go on, as a sentence.
  func effectsInWords() throws -> String {
    let open = try OpenEffects.of(session.info, in: eventStore)
    if open.isEmpty { return "No effect goes on." }
    let actions = try open.map { effect in
      var page = EventBatch()
      try eventStore.read(
        session.info.id, after: effect.cause.advanced(by: -1) ?? .zero, through: effect.cause,
        into: &page)
      return page.events.first.map(Self.words) ?? "event \(effect.cause)"
    }
    return "These effects go on: \(actions.joined(separator: "; "))."
  }
}
