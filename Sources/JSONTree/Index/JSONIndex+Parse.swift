extension JSONIndex {
  /// Reads `bytes`, which must be one JSON value with nothing but whitespace around it, and
  /// replaces what the index held.
  ///
  /// Strict: RFC 8259 and no extension. Refused besides whatever the grammar refuses: bytes that
  /// are not UTF-8, a byte order mark, an escaped surrogate without its partner (`"\uD800"`), and
  /// nesting beyond `maximumDepth`. Keys may repeat; `firstDuplicateKey(in:)` finds them.
  ///
  /// - Throws: `JSONError`, with the byte where the text goes wrong and what was expected there.
  ///   The index is then empty.
  /// - Complexity: O(n) in the bytes, with no recursion.
  public mutating func parse(_ bytes: RawSpan) throws(JSONError) {
    guard bytes.byteCount <= Self.maximumLength else {
      nodes.removeAll(keepingCapacity: true)
      throw .tooLong(bytes: bytes.byteCount, limit: Self.maximumLength)
    }
    try bytes.withUnsafeBytes { buffer throws(JSONError) in
      try parse(unsafe: buffer)
    }
  }

  /// Reads the bytes of `buffer`, of which there are at most `maximumLength`.
  package mutating func parse(unsafe buffer: UnsafeRawBufferPointer) throws(JSONError) {
    // One allocation for a small text; few for one that is denser than most.
    let room = max(8, buffer.count / 16)
    if nodes.capacity < room { nodes.reserveCapacity(room) }
    var parser = JSONParser(bytes: JSONScanner(buffer), nodes: [])
    swap(&parser.nodes, &nodes)
    defer {
      swap(&parser.nodes, &nodes)
      (keyCount, hasSeveralMembers) = (parser.keyCount, parser.hasSeveralMembers)
    }
    do throws(JSONError) {
      try parser.parseDocument()
    } catch {
      parser.nodes.removeAll(keepingCapacity: true)
      throw error
    }
    parser.removeFormerNodes()
  }
}

/// The grammar of values: keeps the containers that are still open as a chain through their nodes,
/// so that depth costs no stack.
private struct JSONParser {
  var bytes: JSONScanner
  /// The nodes, and after the first `count` those of a former text: to write over them is quicker than
  /// to empty the array, and the next line is often made like the last.
  var nodes: [JSONNode]
  var count = 0
  /// The innermost container that is still open. Its `next` is the one around it until it closes.
  var open = none
  var depth = 0
  var keyCount = 0
  var hasSeveralMembers = false

  static let none = UInt32.max

  mutating func parseDocument() throws(JSONError) {
    bytes.skipWhitespace()
    repeat {
      while try openedContainer() {}
    } while try valueFollows()
    guard bytes.isAtEnd else { throw bytes.unexpected("the end after the value") }
  }

  /// Reads a whole scalar or empty container, or opens a container up to its first value.
  /// - Returns: whether a container was opened, so that a value must follow.
  private mutating func openedContainer() throws(JSONError) -> Bool {
    switch bytes.current {
    case UInt8(ascii: "\""): try parseString()
    case UInt8(ascii: "{"): return try openObject()
    case UInt8(ascii: "["): return try openArray()
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try parseNumber()
    case UInt8(ascii: "t"): try parseLiteral("true", .true)
    case UInt8(ascii: "f"): try parseLiteral("false", .false)
    case UInt8(ascii: "n"): try parseLiteral("null", .null)
    default: throw bytes.unexpected("a value")
    }
    return false
  }

  /// Closes the containers that end here.
  /// - Returns: whether another value follows, in the container that is then the innermost.
  private mutating func valueFollows() throws(JSONError) -> Bool {
    bytes.skipWhitespace()
    while open != Self.none {
      let isObject = nodes[Int(open)].kind == .object
      switch bytes.current {
      case UInt8(ascii: ","):
        bytes.advance()
        bytes.skipWhitespace()
        if isObject {
          hasSeveralMembers = true
          try parseKey("a key after ','")
        }
        return true
      case isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"): close()
      default: throw bytes.unexpected(isObject ? "',' or '}'" : "',' or ']'")
      }
      bytes.skipWhitespace()
    }
    return false
  }

  private mutating func openObject() throws(JSONError) -> Bool {
    try openContainer(.object)
    if bytes.current == UInt8(ascii: "}") {
      close()
      return false
    }
    try parseKey("a key or '}'")
    return true
  }

  private mutating func openArray() throws(JSONError) -> Bool {
    try openContainer(.array)
    guard bytes.current == UInt8(ascii: "]") else { return true }
    close()
    return false
  }

  private mutating func openContainer(_ kind: JSONNode.Kind) throws(JSONError) {
    guard depth < JSONIndex.maximumDepth else {
      throw .tooDeep(offset: bytes.offset, limit: JSONIndex.maximumDepth)
    }
    depth += 1
    let node = UInt32(truncatingIfNeeded: count)
    put(JSONNode(start: UInt32(bytes.offset), end: 0, next: open, kind: kind))
    open = node
    bytes.advance()
    bytes.skipWhitespace()
  }

  private mutating func close() {
    bytes.advance()
    depth -= 1
    let (closed, next) = (Int(open), UInt32(truncatingIfNeeded: count))
    open = nodes[closed].next
    nodes[closed].end = UInt32(truncatingIfNeeded: bytes.offset)
    nodes[closed].next = next
  }

  private mutating func parseKey(_ expected: String) throws(JSONError) {
    guard bytes.current == UInt8(ascii: "\"") else { throw bytes.unexpected(expected) }
    try parseString()
    keyCount += 1
    bytes.skipWhitespace()
    guard bytes.current == UInt8(ascii: ":") else { throw bytes.unexpected("':' after the key") }
    bytes.advance()
    bytes.skipWhitespace()
  }

  private mutating func parseString() throws(JSONError) {
    let start = bytes.offset
    append(.string, from: start, flags: try bytes.skipString() ? .escaped : [])
  }

  private mutating func parseNumber() throws(JSONError) {
    let start = bytes.offset
    append(.number, from: start, flags: try bytes.skipNumber() ? .integral : [])
  }

  private mutating func parseLiteral(
    _ word: StaticString, _ kind: JSONNode.Kind
  ) throws(JSONError) {
    let start = bytes.offset
    try bytes.skipLiteral(word)
    append(kind, from: start, flags: [])
  }

  private mutating func append(_ kind: JSONNode.Kind, from start: Int, flags: JSONNode.Flags) {
    put(
      JSONNode(
        start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: bytes.offset),
        next: UInt32(truncatingIfNeeded: count + 1), kind: kind, flags: flags))
  }

  @inline(__always)
  private mutating func put(_ node: JSONNode) {
    if count < nodes.count { nodes[count] = node } else { nodes.append(node) }
    count += 1
  }

  mutating func removeFormerNodes() {
    if count < nodes.count { nodes.removeLast(nodes.count - count) }
  }
}
