import EventStoreCore
import JSONTree
import Refold
import Testing

extension TestStore {
  /// Sends `action`, and asserts what it gives at once: the mutations, and the state that they lead
  /// to. What its effect gives later is for `receive`.
  ///
  ///     try await store.send(.increase(by: 2), mutations: [.add(2)]) { $0.value = 2 }
  ///
  /// - Parameters:
  ///   - mutations: all of them, in order; nil stands for none, or, where exhaustivity is off, for
  ///     any. Where it is off, others may stand between those that are named.
  ///   - failure: the error with which the effect ends at once, compared by type and description.
  ///   - change: makes the state expected afterwards of the one before. Without it the state has to
  ///     stay as it is. Assigning a `@Pulse` counts, here as in `reduce`. Where exhaustivity is off,
  ///     only what it sets is compared; it is then called on two states, so it should only set.
  /// - Returns: the action's receipt, whose `finished` tells how its whole effect ended.
  /// - Throws: what the session or `change` throws. A failed assertion is an issue of the test.
  @discardableResult
  nonisolated(nonsending) public func send(
    _ action: R.Action, mutations: [R.Mutation]? = nil, failure: (any Error)? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ change: ((inout R.State) throws -> Void)? = nil
  ) async throws -> Receipt {
    let receipt = try await session.send(action)
    let call = AssertedCall("send(\(Self.short(action)))", at: sourceLocation)
    let events = try unasserted(through: receipt.version)
    let step = try skip(events, before: receipt.seq, call)
    try assertStep(step, mutations: mutations, failure: failure, change, call)
    reportSessionIssues(at: sourceLocation)
    return receipt
  }

  /// Asserts that the next thing that happened is an action which the test did not send itself, such
  /// as one that an effect sends, and what it gave at once.
  ///
  /// - Parameters:
  ///   - timeout: how long to wait for it, in real time; nil for the store's own.
  /// - Throws: as `send`.
  nonisolated(nonsending) public func receive(
    action: R.Action, mutations: [R.Mutation]? = nil, failure: (any Error)? = nil,
    timeout: Duration? = nil, sourceLocation: SourceLocation = #_sourceLocation,
    _ change: ((inout R.State) throws -> Void)? = nil
  ) async throws {
    let call = AssertedCall("receive(action: \(Self.short(action)))", at: sourceLocation)
    let expected = try JSONValue(encoding: action)
    let found = try await next(call, within: timeout) { event in
      event.header.kind == .action && JSONValue(payload: event.payload) == expected
    }
    guard let found else { return }
    let diff = ValueDiff(from: expected, to: JSONValue(payload: found.payload))
    if found.header.kind != .action || !diff.isEmpty {
      try reportUnexpected(found, instead: diff, call)
      return try move(past: unasserted(through: found.header.seq))
    }
    let step = try skip(try unasserted(), before: found.header.seq, call)
    try assertStep(
      Self.firstStep(in: step), mutations: mutations, failure: failure, change, call)
    reportSessionIssues(at: sourceLocation)
  }

  /// The events of the first step of the action that `events` begin with: those that it caused, up
  /// to the pending event if its effect goes on.
  private static func firstStep(in events: ArraySlice<Event>) -> ArraySlice<Event> {
    let seq = events.first?.header.seq
    var end = min(events.startIndex + 1, events.endIndex)
    while end < events.endIndex, events[end].header.cause == seq,
      events[end].header.kind != .action
    {
      end += 1
      if events[end - 1].header.kind == .pending { break }
    }
    return events[..<end]
  }

  /// Takes the events before `seq` as asserted, and complains of those that a test has to assert.
  /// - Returns: the events from `seq` on.
  private func skip(
    _ events: [Event], before seq: Seq, _ call: AssertedCall
  ) throws -> ArraySlice<Event> {
    let step = events.drop { $0.header.seq < seq }
    let earlier = events[..<step.startIndex]
    try move(past: earlier)
    reportUnasserted(
      earlier, call,
      "came before it and was not asserted. Assert it with receive(…) first.")
    return step
  }

  /// Compares the first step of an action with what is expected of it.
  private func assertStep(
    _ step: ArraySlice<Event>, mutations: [R.Mutation]?, failure: (any Error)?,
    _ change: ((inout R.State) throws -> Void)?, _ call: AssertedCall
  ) throws {
    let before = state
    try move(past: step)
    let given = step.filter { $0.header.kind == .mutation }.map { JSONValue(payload: $0.payload) }
    try compare(given, with: mutations, call)
    try compareFailure(in: step, with: failure, call)
    try compareState(before: before, change, call)
  }

  private func compare(
    _ given: [JSONValue], with mutations: [R.Mutation]?, _ call: AssertedCall
  ) throws {
    let expected = try (mutations ?? []).map { try JSONValue(encoding: $0) }
    if !exhaustivity.isOn, Self.isSubsequence(expected, of: given) {
      if expected.count < given.count, mutations != nil || !given.isEmpty {
        reportSkipped("\(call.name) gave \(given.count) mutations: \(given)", at: call.location)
      }
      return
    }
    let diff = ValueDiff(from: .array(expected), to: .array(given))
    if diff.isEmpty { return }
    report(
      """
      \(call.name) gave other mutations than expected (- expected, + given; by place in the list):

      \(diff.text)

      Change `mutations:`, or what mutate(action:state:) answers with.
      """, at: call.location)
  }

  private static func isSubsequence(_ part: [JSONValue], of whole: [JSONValue]) -> Bool {
    var rest = part[...]
    for value in whole where rest.first == value { rest.removeFirst() }
    return rest.isEmpty
  }

  private func compareFailure(
    in step: ArraySlice<Event>, with failure: (any Error)?, _ call: AssertedCall
  ) throws {
    let found = step.last { $0.header.kind == .failed }
    if failure == nil, !exhaustivity.isOn { return }
    switch (failure, found) {
    case (nil, nil): break
    case (nil, let found?):
      report(
        """
        \(call.name): the effect failed at once with \(Self.content(of: found)).
        Expect that with `failure:`, or catch the error in mutate(action:state:).
        """, at: call.location)
    case (let failure?, nil):
      report("\(call.name): expected a failure, \(failure), but there was none.", at: call.location)
    case (let failure?, let found?):
      let expected = Self.payload(of: failure)
      let diff = ValueDiff(from: expected, to: JSONValue(payload: found.payload))
      if diff.isEmpty { return }
      report(
        "\(call.name) failed otherwise than expected (- expected, + given):\n\n\(diff.text)",
        at: call.location)
    }
  }
}

/// A call of a test: how messages name it, and where it is.
struct AssertedCall: Sendable {
  let name: String
  let location: SourceLocation

  init(_ name: String, at location: SourceLocation) {
    self.name = name
    self.location = location
  }
}
