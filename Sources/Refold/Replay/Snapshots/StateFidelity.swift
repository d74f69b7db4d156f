/// Whether a state comes back from its JSON as it was. One that does not, because its coding leaves
/// out a field or rounds a number, is never kept as a snapshot: going on from it would give other
/// states than the log.
package enum StateFidelity {
  /// Whether `bytes`, the JSON of `state`, decode to the same state.
  ///
  /// Seen by its JSON, and by its parts: parts that are Equatable as their types say, others field by
  /// field.
  /// - Complexity: O(n) in the state.
  package static func holds<State: Codable>(
    _ state: State, as bytes: [UInt8], _ codec: EventCodec
  ) -> Bool {
    guard let back = try? codec.decode(State.self, from: bytes),
      let again = try? codec.encode(back), again == bytes
    else { return false }
    return areSame(state, back)
  }

  /// Deeper parts count as different: only references that go in circles lie so deep, since JSON has
  /// a limit of its own.
  private static let deepest = 1024

  /// Whether `left` and `right` are the same, part by part.
  static func areSame(_ left: Any, _ right: Any, depth: Int = 0) -> Bool {
    if depth > deepest { return false }
    if let left = left as? any Equatable { return isEqual(left, right) }
    let (one, other) = (Mirror(reflecting: left), Mirror(reflecting: right))
    // A case without values shows in its name alone.
    if one.displayStyle == .enum, one.children.isEmpty, "\(left)" != "\(right)" { return false }
    return haveSameParts(one, other, depth: depth)
  }

  private static func isEqual<T: Equatable>(_ left: T, _ right: Any) -> Bool {
    (right as? T).map { $0 == left } ?? false
  }

  private static func haveSameParts(_ left: Mirror, _ right: Mirror, depth: Int) -> Bool {
    guard left.subjectType == right.subjectType, left.children.count == right.children.count else {
      return false
    }
    if left.displayStyle == .dictionary {
      return haveSamePairs(left.children, right.children, depth: depth)
    }
    for (one, other) in zip(left.children, right.children) {
      guard one.label == other.label, areSame(one.value, other.value, depth: depth + 1) else {
        return false
      }
    }
    switch (left.superclassMirror, right.superclassMirror) {
    case (nil, nil): return true
    case (let left?, let right?): return haveSameParts(left, right, depth: depth + 1)
    default: return false
    }
  }

  /// Two dictionaries have pairs in orders of their own.
  private static func haveSamePairs(
    _ left: Mirror.Children, _ right: Mirror.Children, depth: Int
  ) -> Bool {
    var values: [AnyHashable: Any] = [:]
    for child in right {
      guard let (key, value) = pair(child.value) else { return false }
      values[key] = value
    }
    return left.allSatisfy { child in
      guard let (key, value) = pair(child.value), let other = values[key] else { return false }
      return areSame(value, other, depth: depth + 1)
    }
  }

  private static func pair(_ child: Any) -> (AnyHashable, Any)? {
    let parts = Array(Mirror(reflecting: child).children)
    guard parts.count == 2, let key = parts[0].value as? AnyHashable else { return nil }
    return (key, parts[1].value)
  }
}
