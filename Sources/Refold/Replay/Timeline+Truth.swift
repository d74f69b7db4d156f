import EventStoreCore
import JSONTree

extension Timeline {
  /// Hands `body` each position of `positions` where `predicate` begins or ceases to hold of the
  /// state, and what it does there, until `body` says that it has seen enough. The first position
  /// counts where it holds there.
  ///
  /// Every step is looked at, and of the state only what the predicate speaks of is encoded.
  ///
  /// - Throws: as `fold(at:)`; `SessionError.unencodable`; `JSONError.subject` where a pattern meets too
  ///   long a string; what `body` throws.
  /// - Complexity: O(k) for k positions, and as `fold(at:)` for the first.
  package func forEachTruth(
    of predicate: JSONPredicate, in positions: ClosedRange<Seq>,
    until body: (Seq, Bool) throws -> Bool
  ) throws {
    let first = positions.lowerBound
    var holds = try predicate.holds { try self.value(at: $0, of: self.fold(at: first)) }
    if holds, try body(first, true) { return }
    guard first < positions.upperBound, let next = first.advanced(by: 1) else { return }
    try firstStep(in: next...positions.upperBound) { header, _, fold in
      // Nothing else changes the state.
      guard header.kind == .mutation else { return false }
      let former = holds
      holds = try predicate.holds { try self.value(at: $0, of: fold) }
      return holds == former ? false : try body(header.seq, holds)
    }
  }

  private func value(at pointer: JSONPointer, of fold: Fold<R>) throws -> JSONValue? {
    try fold.encodedState(at: pointer).map { try JSONValue(parsing: $0) }
  }
}

extension Fold {
  /// The JSON of what lies at `pointer` in the state, nil where nothing does.
  /// - Throws: `SessionError.unencodable`.
  /// - Complexity: as `EventCodec.encode(_:at:)`.
  package func encodedState(at pointer: JSONPointer) throws -> [UInt8]? {
    do throws(CodecError) {
      return try EventCodec().encode(state, at: pointer)
    } catch {
      throw SessionError.unencodable(type: "\(R.State.self)", reason: "\(error)")
    }
  }

  /// Appends the JSON of the whole state to `bytes`, which stay as they were where this throws.
  /// - Throws: `SessionError.unencodable`.
  package func encodeState(into bytes: inout [UInt8]) throws {
    do throws(CodecError) {
      try EventCodec().encode(state, into: &bytes)
    } catch {
      throw SessionError.unencodable(type: "\(R.State.self)", reason: "\(error)")
    }
  }
}
