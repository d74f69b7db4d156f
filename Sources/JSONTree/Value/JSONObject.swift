/// The members of a JSON object in the order of the text, with repeated keys where it had them.
///
/// Keys are compared by their bytes. Looking one up is linear: an object of a document is small
/// as a rule, and its order is part of it.
public struct JSONObject: Sendable {
  /// A key and its value.
  public struct Member: Hashable, Sendable {
    /// The key.
    public var key: String
    /// The value.
    public var value: JSONValue

    /// A member.
    public init(key: String, value: JSONValue) { (self.key, self.value) = (key, value) }

    /// Whether keys and values are equal, the keys by bytes.
    public static func == (left: Member, right: Member) -> Bool {
      JSONText.equal(left.key, right.key) && left.value == right.value
    }

    /// Hashes what equality compares.
    public func hash(into hasher: inout Hasher) {
      JSONText.hash(key, into: &hasher)
      hasher.combine(value)
    }
  }

  /// The members in order.
  public var members: [Member]

  /// An object of these members.
  public init(_ members: [Member] = []) { self.members = members }
}

extension JSONObject {
  /// The value of `key`: of the last member, where it repeats. Setting replaces that member's value
  /// or appends a member; setting nil removes every member with this key.
  /// - Complexity: O(n) in the members.
  public subscript(key: String) -> JSONValue? {
    get { place(of: key).map { members[$0].value } }
    set { set(newValue, for: key) }
  }

  /// Where the last member with this key stands.
  func place(of key: String) -> Int? {
    members.lastIndex { JSONText.equal($0.key, key) }
  }

  private mutating func set(_ value: JSONValue?, for key: String) {
    guard let value else { return members.removeAll { JSONText.equal($0.key, key) } }
    guard let place = place(of: key) else {
      return members.append(Member(key: key, value: value))
    }
    members[place].value = value
  }

  /// The members sorted by the UTF-8 bytes of their keys; those with equal keys stay in order.
  /// - Complexity: O(n) where they are sorted already, else O(n log n).
  public var sortedMembers: [Member] {
    let areSorted = zip(members, members.dropFirst())
      .allSatisfy { JSONText.compare($0.key, $1.key) <= 0 }
    if areSorted { return members }
    let order = members.indices.sorted {
      let order = JSONText.compare(members[$0].key, members[$1].key)
      return order != 0 ? order < 0 : $0 < $1
    }
    return order.map { members[$0] }
  }
}

extension JSONObject: Hashable {
  /// Whether the members are the same, in whatever order. Members with equal keys must be in the
  /// same order among themselves.
  /// - Complexity: O(n) in the members where they are in the same order, else O(n log n).
  public static func == (left: JSONObject, right: JSONObject) -> Bool {
    guard left.members.count == right.members.count else { return false }
    // All keys first: a value that is compared twice on each level takes forever.
    let areInOrder = zip(left.members, right.members).allSatisfy { JSONText.equal($0.key, $1.key) }
    guard areInOrder else { return left.sortedMembers == right.sortedMembers }
    return zip(left.members, right.members).allSatisfy { $0.value == $1.value }
  }

  /// Hashes what equality compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(sortedMembers) }
}
