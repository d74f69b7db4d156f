import JSONTree

/// A place in the text of an encoding.
struct TextRange: BitwiseCopyable {
  var start: UInt32 = 0
  var end: UInt32 = 0
}

/// A value that is, or will be, encoded. Nodes refer to one another by their place in the array,
/// where 0, the root, which is nobody's child, stands for none.
struct EncodingNode: BitwiseCopyable {
  enum Kind: UInt8 {
    /// Nothing has been encoded yet.
    case nothing
    case scalar
    case array
    case object
    /// Encoding failed here. A type that lives with that leaves the value out, or tries another.
    case failed

    /// Whether a value can still be encoded.
    var isOpen: Bool { self == .nothing || self == .failed }
  }

  /// In which order an array's elements are written.
  enum Order: UInt8 {
    case asEncoded
    /// A Set's: sorted by their bytes.
    case elements
    /// A Dictionary's: pairs of key and value, sorted by their bytes.
    case pairs
  }

  /// How much of a value is wanted, where one value of the whole is picked.
  enum Reach: UInt8 {
    /// All of it.
    case whole
    /// What leads to the picked value, and nothing beside.
    case way
    /// Nothing.
    case off
  }

  var kind = Kind.nothing
  var reach = Reach.whole
  var order = Order.asEncoded
  /// Whether the container was asked for as a nested one, and is shared by all who ask.
  var isNested = false
  /// Whether the key has escapes in the text.
  var hasEscapedKey = false
  /// Whether the end of the text lies in this container.
  var isOpen = false
  /// Whether the text is not this container's JSON as it stands: something in it must go elsewhere.
  var isRearranged = false
  /// The key in the text, quotation marks and all, for a member of an object.
  var key = TextRange()
  /// The JSON in the text.
  var value = TextRange()
  let parent: UInt32
  var next: UInt32 = 0
  var firstChild: UInt32 = 0
  var lastChild: UInt32 = 0
  var count: UInt32 = 0

  init(parent: Int) { self.parent = UInt32(truncatingIfNeeded: parent) }
}

extension EncodingNode {
  /// The JSON of the value where it lies in the text as it is.
  func json(in text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
    guard !kind.isOpen, !isRearranged, !isOpen else { return nil }
    return UnsafeBufferPointer(rebasing: text[Int(value.start)..<Int(value.end)])
  }

  /// Whether what the container holds may have to be put in order.
  var mustBeSorted: Bool {
    switch order {
    case .asEncoded: false
    case .elements: count > 1
    case .pairs: count > 2
    }
  }

  /// Less than 0, 0, or more: the order of two members by the bytes of their keys.
  func compareKey(_ other: EncodingNode, in text: UnsafeRawBufferPointer) -> Int {
    guard hasEscapedKey || other.hasEscapedKey else {
      return JSONText.compare(keyContent(in: text), other.keyContent(in: text))
    }
    return unescapedKey(in: text).withUnsafeBytes { one in
      other.unescapedKey(in: text).withUnsafeBytes { JSONText.compare(one, $0) }
    }
  }

  /// The first eight bytes of the key as a number, with zeros where it has fewer: of two keys, that
  /// with the lesser number comes first.
  func keyStart(in text: UnsafeRawBufferPointer) -> UInt64 {
    guard hasEscapedKey else { return Self.start(keyContent(in: text)) }
    return unescapedKey(in: text).withUnsafeBytes(Self.start)
  }

  private static func start(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    if bytes.count >= 8 { return UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)) }
    var start: UInt64 = 0
    for place in 0..<8 { start = start << 8 | (place < bytes.count ? UInt64(bytes[place]) : 0) }
    return start
  }

  /// The key's bytes, without its escapes.
  func unescapedKey(in text: UnsafeRawBufferPointer) -> [UInt8] {
    JSONText.bytes(keyContent(in: text), escaped: hasEscapedKey)
  }

  private func keyContent(in text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    guard key.end > key.start else { return UnsafeRawBufferPointer(rebasing: text[0..<0]) }
    return UnsafeRawBufferPointer(rebasing: text[Int(key.start) + 1..<Int(key.end) - 1])
  }
}
