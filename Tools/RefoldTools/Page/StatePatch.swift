import JSONTree

/// What turns one state into the next, in few bytes: RFC 6902 without its words, and with one
/// operation more, for long texts of which a part changes.
///
///     [["=","/posts/3/likes",8],["+","/posts/0",{…}],["-","/error"],["~","/text",1044,1,"an"]]
///
/// `=` sets a member or an element, `+` puts an element in, `-` takes a member or an element out,
/// and `~` replaces so many units of UTF-16 from a place on.
struct StatePatch {
  private let old: EncodedState
  private let new: EncodedState
  private var path: [UInt8] = []
  private var operations: [UInt8] = []

  /// Shorter texts are replaced whole.
  private static let leastSplicedText = 64

  /// The bytes of the patch from `old` to `new`.
  /// - Complexity: O(n) in the bytes of both for each level at which they differ.
  static func bytes(from old: EncodedState, to new: EncodedState) -> [UInt8] {
    var patch = StatePatch(old, new)
    patch.compare(0, 0)
    return [UInt8(ascii: "[")] + patch.operations + [UInt8(ascii: "]")]
  }

  private init(_ old: EncodedState, _ new: EncodedState) { (self.old, self.new) = (old, new) }

  private mutating func compare(_ one: Int, _ other: Int) {
    if old.isEqual(at: one, to: new, at: other) { return }
    let start = operations.count
    switch (old.nodes[one].kind, new.nodes[other].kind) {
    case (.object, .object): compareMembers(one, other)
    case (.array, .array): compareElements(one, other)
    case (.string, .string): splice(one, other)
    case (_, _): set(other)
    }
    // As good as rewritten: then the new value is shorter than how to get there.
    let whole = new.nodes[other].range.count + path.count + 8
    if operations.count - start > whole {
      operations.removeSubrange(start...)
      set(other)
    }
  }

  /// Members are sorted by the bytes of their keys in both.
  private mutating func compareMembers(_ one: Int, _ other: Int) {
    let (end, otherEnd) = (Int(old.nodes[one].next), Int(new.nodes[other].next))
    var (key, otherKey) = (one + 1, other + 1)
    while key < end || otherKey < otherEnd {
      let name = key < end ? old.text(at: key) : ""
      let otherName = otherKey < otherEnd ? new.text(at: otherKey) : ""
      let order =
        key == end ? 1 : otherKey == otherEnd ? -1 : JSONText.compare(name, otherName)
      within(order <= 0 ? name : otherName) { patch in
        if order < 0 { patch.remove() }
        if order > 0 { patch.set(otherKey + 1) }
        if order == 0 { patch.compare(key + 1, otherKey + 1) }
      }
      if order <= 0 { key = Int(old.nodes[key + 1].next) }
      if order >= 0 { otherKey = Int(new.nodes[otherKey + 1].next) }
    }
  }

  /// Elements at the beginning and the end that stay are found; those between are compared place
  /// by place, and what is left over is taken out or put in.
  private mutating func compareElements(_ one: Int, _ other: Int) {
    let (olds, news) = (old.elements(of: one), new.elements(of: other))
    let shorter = min(olds.count, news.count)
    var (prefix, suffix) = (0, 0)
    while prefix < shorter, isEqual(olds[prefix], news[prefix]) { prefix += 1 }
    while suffix < shorter - prefix,
      isEqual(olds[olds.count - suffix - 1], news[news.count - suffix - 1])
    {
      suffix += 1
    }
    let common = shorter - suffix
    for place in prefix..<common {
      within("\(place)") { $0.compare(olds[place], news[place]) }
    }
    // From the end, so that each removal leaves the places of the others as they are.
    for place in (common..<olds.count - suffix).reversed() { within("\(place)") { $0.remove() } }
    for place in common..<news.count - suffix {
      within("\(place)") { $0.insert(news[place]) }
    }
  }

  private func isEqual(_ one: Int, _ other: Int) -> Bool {
    old.isEqual(at: one, to: new, at: other)
  }

  private mutating func splice(_ one: Int, _ other: Int) {
    guard old.nodes[one].range.count >= Self.leastSplicedText else { return set(other) }
    var (text, newText) = (old.text(at: one), new.text(at: other))
    text.withUTF8 { old in
      newText.withUTF8 { new in
        let (one, other) = (UnsafeRawBufferPointer(old), UnsafeRawBufferPointer(new))
        let prefix = CommonBytes.prefix(one, other)
        let suffix = CommonBytes.suffix(one, other, behind: prefix)
        begin("~")
        let start = CommonBytes.utf16Count(one[..<prefix])
        let deleted = CommonBytes.utf16Count(one[prefix..<one.count - suffix])
        operations.append(contentsOf: ",\(start),\(deleted),".utf8)
        let inserted = UnsafeRawBufferPointer(rebasing: other[prefix..<other.count - suffix])
        JSONText.append(inserted, to: &operations)
        operations.append(UInt8(ascii: "]"))
      }
    }
  }

  private mutating func set(_ node: Int) { put("=", node) }

  private mutating func insert(_ node: Int) { put("+", node) }

  private mutating func put(_ operation: String, _ node: Int) {
    begin(operation)
    operations.append(UInt8(ascii: ","))
    operations.append(contentsOf: new.bytes[new.nodes[node].range])
    operations.append(UInt8(ascii: "]"))
  }

  private mutating func remove() {
    begin("-")
    operations.append(UInt8(ascii: "]"))
  }

  private mutating func begin(_ operation: String) {
    if !operations.isEmpty { operations.append(UInt8(ascii: ",")) }
    operations.append(contentsOf: "[\"\(operation)\",".utf8)
    path.withUnsafeBytes { JSONText.append($0, to: &operations) }
  }

  private mutating func within(_ token: String, _ body: (inout StatePatch) -> Void) {
    let count = path.count
    path.append(UInt8(ascii: "/"))
    for byte in token.utf8 {
      switch byte {
      case UInt8(ascii: "~"): path.append(contentsOf: "~0".utf8)
      case UInt8(ascii: "/"): path.append(contentsOf: "~1".utf8)
      default: path.append(byte)
      }
    }
    body(&self)
    path.removeSubrange(count...)
  }
}
