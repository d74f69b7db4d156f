import EventStoreCore
import JSONTree

extension Timeline {
  /// The event that last changed what lies at `pointer`, at or before `position`: what is there, is
  /// not, or is there again counts as changed. `Seq.zero` where it is as in the initial state.
  ///
  /// - Throws: as `fold(at:)`; `SessionError.unencodable`.
  /// - Complexity: O(k) for the k events up to `position`, once, to fold them; and of those between
  ///   the event and `position` about four times as many are looked at.
  package func lastChange(at pointer: JSONPointer, through position: Seq) throws -> Seq {
    var found: Seq?
    try forEachStretch(backFrom: position) { stretch in
      try forEachChange(at: pointer, in: stretch) { seq, _, _ in found = seq }
      return found != nil
    }
    return found ?? .zero
  }

  /// The first event of `range` that changed what lies at `pointer`; nil where none did.
  ///
  /// - Throws: as `lastChange(at:through:)`.
  /// - Complexity: O(k) for the k events of `range` up to it.
  package func firstChange(at pointer: JSONPointer, in range: ClosedRange<Seq>) throws -> Seq? {
    let former = try fold(at: range.lowerBound.previous).encodedState(at: pointer)
    return try firstStep(in: range) { header, _, fold in
      try header.kind == .mutation && fold.encodedState(at: pointer) != former
    }
  }

  /// Hands `body` each event of `range` that changed what lies at `pointer`, oldest first, with the
  /// JSON before and after it, nil for nothing.
  ///
  /// - Throws: as `lastChange(at:through:)`, and what `body` throws.
  /// - Complexity: O(k) for k events.
  package func forEachChange(
    at pointer: JSONPointer, in range: ClosedRange<Seq>,
    _ body: (Seq, [UInt8]?, [UInt8]?) throws -> Void
  ) throws {
    var former = try fold(at: range.lowerBound.previous).encodedState(at: pointer)
    try firstStep(in: range) { header, _, fold in
      guard header.kind == .mutation else { return false }
      let value = try fold.encodedState(at: pointer)
      if value != former { try body(header.seq, former, value) }
      former = value
      return false
    }
  }

  /// The fields of the state at `position`, each with the event that last changed it, in the order of
  /// the state.
  ///
  /// Fields are leaves, but an item of an array of objects is one field; where the items have ids,
  /// one that only moved has not changed.
  /// - Parameter depth: the most levels to go down, from 1.
  /// - Throws: as `lastChange(at:through:)`.
  /// - Complexity: as `lastChange(at:through:)` for the field that changed longest ago; of the state
  ///   only those top-level members are looked at of which a field is still open, and their fields
  ///   only where a member changed.
  package func blame(at position: Seq, depth: Int = .max) throws -> [FieldBlame] {
    guard let state = try fold(at: position).encodedState(at: JSONPointer()) else { return [] }
    var fields = FieldTree(try JSONValue(parsing: state), depth: depth)
    try forEachStretch(backFrom: position) { stretch in
      var search = try FieldSearch(fields, from: fold(at: stretch.lowerBound.previous))
      try firstStep(in: stretch) { header, _, fold in
        if header.kind == .mutation { try search.look(at: fold) }
        return false
      }
      fields = search.settled()
      return !fields.isOpen
    }
    return fields.blames
  }

  /// Hands `body` stretches of events back to the first one, the last ones first, the longer the
  /// further back, until `body` says that it has seen enough.
  private func forEachStretch(
    backFrom position: Seq, until body: (ClosedRange<Seq>) throws -> Bool
  ) throws {
    // One fold of the whole way leaves keyframes, from which every stretch is near.
    _ = try fold(at: position)
    var (end, length) = (position, 64)
    while end > .zero {
      let start = Seq(end.rawValue - min(end.rawValue, UInt32(length)))
      if try body((start.advanced(by: 1) ?? end)...end) { return }
      (end, length) = (start, min(4 * length, 16_384))
    }
  }
}

/// The fields of a state while it is folded from step to step.
private struct FieldSearch<R: Reactor> {
  private var fields: FieldTree
  private var members: [Member]
  private let codec = EventCodec()
  private let versions = ArrayVersions()

  /// A top-level member with fields that are open, as it was last seen.
  private struct Member {
    let place: JSONPointer
    var fingerprint: [UInt8]?
    var value: JSONValue?
  }

  init(_ fields: FieldTree, from fold: Fold<R>) throws {
    self.fields = fields
    members = []
    for place in fields.openMembers {
      members.append(
        Member(
          place: place,
          fingerprint: try codec.fingerprint(of: fold.state, at: place, versions),
          value: try Self.value(at: place, of: fold)))
    }
  }

  /// Notes which fields the last event of `fold` changed.
  mutating func look(at fold: Fold<R>) throws {
    for index in members.indices {
      let place = members[index].place
      let fingerprint = try codec.fingerprint(of: fold.state, at: place, versions)
      guard fingerprint != members[index].fingerprint else { continue }
      let value = try Self.value(at: place, of: fold)
      fields.compare(members[index].value, value, at: place, seq: fold.seq)
      members[index].fingerprint = fingerprint
      members[index].value = value
    }
  }

  /// The fields, those that were changed closed.
  func settled() -> FieldTree {
    var fields = fields
    fields.settle()
    return fields
  }

  private static func value(at place: JSONPointer, of fold: Fold<R>) throws -> JSONValue? {
    try fold.encodedState(at: place).map { try JSONValue(parsing: $0) }
  }
}
