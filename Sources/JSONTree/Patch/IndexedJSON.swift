/// A JSON text, and where its values lie in it.
package struct IndexedJSON: Sendable {
  /// The text.
  package private(set) var bytes: [UInt8] = []
  private(set) var index = JSONIndex()

  /// A text without anything in it, which no other one is the same as.
  package init() {}

  /// Becomes the text that `write` appends to the bytes it is given, which are empty. The memory of
  /// the text before is used again.
  ///
  /// - Returns: whether the text is another one than that of `former`; where it is the same, only
  ///   `bytes` may be asked for.
  /// - Throws: `JSONError` where that is no JSON, and what `write` throws; nothing may be asked of the
  ///   document then.
  /// - Complexity: O(n) in the bytes.
  @discardableResult
  package mutating func read(
    after former: IndexedJSON = IndexedJSON(), _ write: (inout [UInt8]) throws -> Void
  ) throws -> Bool {
    bytes.removeAll(keepingCapacity: true)
    try write(&bytes)
    let isSame = bytes.withUnsafeBytes { bytes in
      former.bytes.withUnsafeBytes { Self.areEqual(bytes, $0) }
    }
    if isSame { return false }
    // Taken out for as long as it reads the bytes beside it.
    var index = JSONIndex()
    swap(&index, &self.index)
    defer { swap(&index, &self.index) }
    try index.parse(bytes.span.bytes)
    return true
  }

  /// Whether both are the same bytes.
  /// - Complexity: O(n), eight bytes at a time.
  static func areEqual(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
    guard one.count == other.count else { return false }
    var place = 0
    while place + 8 <= one.count {
      let left = one.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      let right = other.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      if left != right { return false }
      place += 8
    }
    while place < one.count {
      if one[place] != other[place] { return false }
      place += 1
    }
    return true
  }
}
