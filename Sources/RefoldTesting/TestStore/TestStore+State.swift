import JSONTree
import Refold

extension TestStore {
  /// Compares the state now with what `change` makes of the one before.
  func compareState(
    before: R.State, _ change: ((inout R.State) throws -> Void)?, _ call: AssertedCall
  ) throws {
    if exhaustivity.isOn {
      try compareWholeState(before: before, change, call)
    } else if let change {
      try compareNamedParts(before: before, change, call)
    }
  }

  private func compareWholeState(
    before: R.State, _ change: ((inout R.State) throws -> Void)?, _ call: AssertedCall
  ) throws {
    var expected = before
    try change?(&expected)
    let (old, new) = (try JSONValue(encoding: expected), try JSONValue(encoding: state))
    let diff = ValueDiff(from: old, to: new)
    if !diff.isEmpty {
      let advice =
        change == nil
        ? "Make this change in a trailing closure, or change reduce(state:mutation:)."
        : "Change the trailing closure, which makes the expected state of the one before, or "
          + "reduce(state:mutation:)."
      report(
        """
        After \(call.name) the state is not as expected (- expected, + actual):

        \(diff.text)

        \(advice)
        """, at: call.location)
    } else if change != nil, try JSONValue(encoding: before) == old {
      report(
        """
        \(call.name): a change of the state was expected, but the trailing closure changes nothing.
        Leave it out where the state stays as it is.
        """, at: call.location)
    }
  }

  /// Exhaustivity is off: what `change` sets has to be as it sets it, all else may be anything.
  ///
  /// Applied to the state before, `change` shows what it changes; applied to the state now, it shows
  /// also what it sets to the value that was there before.
  private func compareNamedParts(
    before: R.State, _ change: (inout R.State) throws -> Void, _ call: AssertedCall
  ) throws {
    let after = state
    var (expected, repeated) = (before, after)
    try change(&expected)
    try change(&repeated)
    let (old, new) = (try JSONValue(encoding: expected), try JSONValue(encoding: after))
    let named =
      JSONPatch(from: try JSONValue(encoding: before), to: old).operations
      + JSONPatch(from: new, to: try JSONValue(encoding: repeated)).operations
    var seen: Set<JSONPointer> = []
    let differences = named.map(Self.place).filter { seen.insert($0).inserted }
      .filter { old[$0] != new[$0] }
      .map { ValueDiff.Difference(pointer: $0, old: old[$0], new: new[$0]) }
    if differences.isEmpty { return }
    report(
      """
      After \(call.name) the state is not what the trailing closure sets (- expected, + actual):

      \(ValueDiff(differences).text)

      Change the closure, or reduce(state:mutation:).
      """, at: call.location)
  }

  /// The place that an operation names; for one that moves an item the list, whose order it names.
  private static func place(of operation: JSONPatch.Operation) -> JSONPointer {
    if case .move(_, let path) = operation { path.parent?.pointer ?? path } else { operation.path }
  }
}
