import JSONTree

/// A JSON text and the index of its values: what a tree is laid out from, without a value being made
/// for anything that is not looked at.
struct JSONDocument: Sendable {
  let bytes: [UInt8]
  let index: JSONIndex

  /// - Throws: `JSONError` where `bytes` are no JSON.
  init(_ bytes: [UInt8]) throws {
    var index = JSONIndex()
    try index.parse(bytes.span.bytes)
    (self.bytes, self.index) = (bytes, index)
  }

  var nodes: [JSONNode] { index.nodes }

  /// The text of a string node or key, without its escapes.
  func string(at node: Int) -> String { bytes.withUnsafeBytes { index.string(at: node, in: $0) } }

  /// The begin of a node's own bytes, as text fit for a terminal.
  func begin(of node: Int, limit: Int) -> String {
    let range = nodes[node].range
    return Printable.line(bytes[range].prefix(limit))
  }

  /// Whether the text of a key or scalar holds `pattern`.
  func matches(_ pattern: SearchPattern, at node: Int) -> Bool {
    switch nodes[node].kind {
    case .array, .object: false
    case .string where nodes[node].flags.contains(.escaped): pattern.matches(string(at: node))
    case .string, .null, .false, .true, .number:
      bytes.withUnsafeBytes { pattern.matches(UnsafeRawBufferPointer(rebasing: $0[range(node)])) }
    }
  }

  private func range(_ node: Int) -> Range<Int> {
    nodes[node].kind == .string ? nodes[node].content : nodes[node].range
  }
}
