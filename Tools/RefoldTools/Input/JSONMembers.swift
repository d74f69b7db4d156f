import JSONTree

/// The members of a JSON object, their values as ranges of its exact bytes.
struct JSONMembers {
  /// Every member in the order of the text, repeated keys included.
  let all: [(key: String, value: Range<Int>)]

  /// The members of the object that `line` is; nil where it is another value.
  ///
  /// - Throws: `JSONError` where `line` is no JSON.
  init?(of line: [UInt8]) throws {
    var index = JSONIndex()
    try index.parse(line.span.bytes)
    guard index.nodes[0].kind == .object else { return nil }
    all = line.withUnsafeBytes { bytes in
      index.keys(of: 0).map { key in
        (index.string(at: key, in: bytes), index.nodes[key + 1].range)
      }
    }
  }

  /// The value of `key`, nil where there is none.
  subscript(key: String) -> Range<Int>? { all.last { $0.key == key }?.value }
}
