// What a session does with every action and every mutation, as requirements with one
// implementation: a default that can be inlined is compiled where a reactor conforms, with the
// reactor's own types. The session itself is compiled without knowing them, and it would take it
// microseconds to do the same.
extension Reactor {
  /// Asks `mutate`, and logs and reduces what the effect gives at once. Leave it as it is.
  ///
  /// - Returns: whether the effect does not give everything at once; it is in `rest` then.
  /// - Throws: `EventStoreError.sessionFull`.
  @inlinable
  public func _decide(
    _ action: Action, state: inout State, log: _StepLog, actions: inout [Action],
    mutations: inout [Mutation], rest: inout Effect<Mutation>?
  ) throws -> Bool {
    if log.keepsAction { actions.append(action) }
    let effect = mutate(action: action, state: state)
    switch effect.core {
    case .single(let mutation):
      try _reduce(mutation, state: &state, log: log, mutations: &mutations)
    case .values(let values):
      for mutation in values {
        try _reduce(mutation, state: &state, log: log, mutations: &mutations)
      }
    case .stream:
      rest = effect
      return true
    }
    return false
  }

  /// Logs `mutation`, reduces it, and keeps it for the fold of what is durable. Leave it as it is.
  ///
  /// - Throws: `EventStoreError.sessionFull`.
  @inlinable
  public func _reduce(
    _ mutation: Mutation, state: inout State, log: _StepLog, mutations: inout [Mutation]
  ) throws {
    guard try log.append(mutation) else { return }
    mutations.append(mutation)
    reduce(state: &state, mutation: mutation)
  }

  /// Reduces those of `mutations` at `range`. Leave it as it is.
  @inlinable
  public func _fold(_ mutations: [Mutation], _ range: Range<Int>, state: inout State) {
    for index in range { reduce(state: &state, mutation: mutations[index]) }
  }

  /// Reduces the mutation whose payload in the log is `payload`. Leave it as it is.
  ///
  /// - Throws: what decoding it throws; `state` is as it was then.
  @inlinable
  public func _fold(
    _ payload: RawSpan, _ codec: EventCodec, state: inout State
  ) throws(CodecError) {
    reduce(state: &state, mutation: try codec.decode(Mutation.self, from: payload))
  }
}
