extension JSONPatch {
  /// The patch between the values of two texts: what `JSONPatch(from:to:)` makes of them.
  ///
  /// Both are compact, with the fewest escapes, as `JSONValue` and its like write them: values are
  /// the same where their bytes are, and of what is the same no values are made.
  /// - Complexity: O(n) in the bytes for each level that they differ at, and as `JSONPatch(from:to:)`
  ///   for the elements of an array that differ.
  package init(from old: IndexedJSON, to new: IndexedJSON) {
    operations = JSONTextDiff.between(old, new) { steps, new in
      steps.map { $0.operation(new) }
    }
  }

  /// Appends to `text`, as compact JSON, the patch between two texts, and makes no values of theirs
  /// where it need not.
  /// - Complexity: as `JSONPatch(from:to:)` between two texts.
  package static func append(
    from old: IndexedJSON, to new: IndexedJSON, to text: inout [UInt8]
  ) {
    JSONTextDiff.between(old, new) { steps, new in
      text.append(UInt8(ascii: "["))
      for (place, step) in steps.enumerated() {
        if place > 0 { text.append(UInt8(ascii: ",")) }
        step.append(new, to: &text)
      }
      text.append(UInt8(ascii: "]"))
    }
  }

  /// Appends the patch as compact JSON to `text`.
  package func append(to text: inout [UInt8]) {
    text.append(UInt8(ascii: "["))
    for (place, operation) in operations.enumerated() {
      if place > 0 { text.append(UInt8(ascii: ",")) }
      operation.append(to: &text)
    }
    text.append(UInt8(ascii: "]"))
  }
}

extension JSONPatch.Operation {
  /// Appends the operation as a JSON object: `op`, `from`, `path`, `value` in this order.
  func append(to text: inout [UInt8]) {
    switch self {
    case .add(let path, let value), .replace(let path, let value), .test(let path, let value):
      Self.append(name, path, to: &text) { value.append(to: &$0) }
    case .remove(let path): Self.append(name, path, to: &text)
    case .move(let from, let path), .copy(let from, let path):
      Self.append(name, from: from, path, to: &text)
    }
  }

  /// Appends an operation of these members; `value` writes the last one, where there is one.
  fileprivate static func append(
    _ name: String, from: JSONPointer? = nil, _ path: JSONPointer, to text: inout [UInt8],
    value: ((inout [UInt8]) -> Void)? = nil
  ) {
    text.append(contentsOf: "{\"op\":\"".utf8)
    text.append(contentsOf: name.utf8)
    if let from {
      text.append(contentsOf: "\",\"from\":".utf8)
      JSONText.append(from.description, to: &text)
      text.append(contentsOf: ",\"path\":".utf8)
    } else {
      text.append(contentsOf: "\",\"path\":".utf8)
    }
    JSONText.append(path.description, to: &text)
    if let value {
      text.append(contentsOf: ",\"value\":".utf8)
      value(&text)
    }
    text.append(UInt8(ascii: "}"))
  }
}

/// A text that stays where it is, and its index.
private struct IndexedBytes {
  let bytes: UnsafeRawBufferPointer
  let index: JSONIndex

  func kind(_ node: Int) -> JSONNode.Kind { index.nodes[node].kind }

  /// The node after this one and all that is in it.
  func next(_ node: Int) -> Int { Int(index.nodes[node].next) }

  func text(_ node: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[index.nodes[node].range])
  }

  func key(_ node: Int) -> UnsafeRawBufferPointer {
    index.content(of: index.nodes[node], in: bytes)
  }

  func value(_ node: Int) -> JSONValue { index.value(at: node, in: bytes) }

  /// Whether the members of the object stand in the order of their keys, none twice, and no key has
  /// an escape, so that bytes tell all.
  func hasRisingKeys(_ object: Int) -> Bool {
    var (key, former) = (object + 1, -1)
    while key < next(object) {
      if index.nodes[key].flags.contains(.escaped) { return false }
      if former >= 0, JSONText.compare(self.key(former), self.key(key)) >= 0 { return false }
      (former, key) = (key, next(key + 1))
    }
    return true
  }

  /// The elements of `array` from the node `start` on.
  func elements(of array: Int, from start: Int) -> [Int] {
    var elements: [Int] = []
    var node = start
    while node < next(array) {
      elements.append(node)
      node = next(node)
    }
    return elements
  }
}

/// Collects the operations that lead from one text to another.
private struct JSONTextDiff {
  private let old: IndexedBytes
  private let new: IndexedBytes
  private var steps: [Step] = []

  enum Step {
    case operation(JSONPatch.Operation)
    /// An operation whose value is that of a node of the new text.
    case add(JSONPointer, Int)
    case replace(JSONPointer, Int)

    func operation(_ new: IndexedBytes) -> JSONPatch.Operation {
      switch self {
      case .operation(let operation): operation
      case .add(let place, let node): .add(place, new.value(node))
      case .replace(let place, let node): .replace(place, new.value(node))
      }
    }

    func append(_ new: IndexedBytes, to text: inout [UInt8]) {
      switch self {
      case .operation(let operation): operation.append(to: &text)
      case .add(let place, let node): append("add", place, new.text(node), to: &text)
      case .replace(let place, let node): append("replace", place, new.text(node), to: &text)
      }
    }

    private func append(
      _ name: String, _ place: JSONPointer, _ value: UnsafeRawBufferPointer,
      to text: inout [UInt8]
    ) {
      JSONPatch.Operation.append(name, place, to: &text) { $0.append(contentsOf: value) }
    }
  }

  /// What `body` makes of the steps from `old` to `new`, while both stay where they are.
  static func between<T>(
    _ old: IndexedJSON, _ new: IndexedJSON, _ body: ([Step], IndexedBytes) -> T
  ) -> T {
    old.bytes.withUnsafeBytes { oldBytes in
      new.bytes.withUnsafeBytes { newBytes in
        var diff = JSONTextDiff(
          old: IndexedBytes(bytes: oldBytes, index: old.index),
          new: IndexedBytes(bytes: newBytes, index: new.index))
        diff.compare(0, 0, at: JSONPointer())
        return body(diff.steps, diff.new)
      }
    }
  }

  private init(old: IndexedBytes, new: IndexedBytes) { (self.old, self.new) = (old, new) }

  private mutating func compare(_ one: Int, _ other: Int, at place: JSONPointer) {
    if isEqual(one, other) { return }
    switch (old.kind(one), new.kind(other)) {
    case (.object, .object): compareMembers(one, other, at: place)
    case (.array, .array): compareElements(one, other, at: place)
    case (.number, .number) where old.value(one) == new.value(other): return
    case (_, _): steps.append(.replace(place, other))
    }
  }

  private func isEqual(_ one: Int, _ other: Int) -> Bool {
    IndexedJSON.areEqual(old.text(one), new.text(other))
  }

  private mutating func compareMembers(_ one: Int, _ other: Int, at place: JSONPointer) {
    guard old.hasRisingKeys(one), new.hasRisingKeys(other) else {
      return compareValues(old.value(one), new.value(other), at: place)
    }
    let (end, otherEnd) = (old.next(one), new.next(other))
    var (key, otherKey) = (one + 1, other + 1)
    while key < end || otherKey < otherEnd {
      let order =
        key == end
        ? 1 : otherKey == otherEnd ? -1 : JSONText.compare(old.key(key), new.key(otherKey))
      if order < 0 { steps.append(.operation(.remove(place.appending(name(key, in: old))))) }
      if order > 0 { steps.append(.add(place.appending(name(otherKey, in: new)), otherKey + 1)) }
      if order == 0, !isEqual(key + 1, otherKey + 1) {
        compare(key + 1, otherKey + 1, at: place.appending(name(key, in: old)))
      }
      if order <= 0 { key = old.next(key + 1) }
      if order >= 0 { otherKey = new.next(otherKey + 1) }
    }
  }

  private func name(_ key: Int, in document: IndexedBytes) -> String {
    String(decoding: document.key(key), as: UTF8.self)
  }

  private mutating func compareElements(_ one: Int, _ other: Int, at place: JSONPointer) {
    let (end, otherEnd) = (old.next(one), new.next(other))
    var (node, otherNode, prefix) = (one + 1, other + 1, 0)
    while node < end, otherNode < otherEnd, isEqual(node, otherNode) {
      (node, otherNode, prefix) = (old.next(node), new.next(otherNode), prefix + 1)
    }
    var olds = old.elements(of: one, from: node)[...]
    var news = new.elements(of: other, from: otherNode)[...]
    if otherEnd == other + 1, olds.count > 1 { return steps.append(.replace(place, other)) }
    while let last = olds.last, let otherLast = news.last, isEqual(last, otherLast) {
      olds.removeLast()
      news.removeLast()
    }
    var diff = JSONDiff()
    let new = new
    diff.compare(olds.map(old.value), news.map(new.value), at: place, from: prefix) {
      new.elements(of: other, from: other + 1).map(new.value)
    }
    steps.append(contentsOf: diff.operations.map(Step.operation))
  }

  private mutating func compareValues(
    _ old: JSONValue, _ new: JSONValue, at place: JSONPointer
  ) {
    var diff = JSONDiff()
    diff.compare(old, new, at: place)
    steps.append(contentsOf: diff.operations.map(Step.operation))
  }
}
