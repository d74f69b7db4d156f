/// The members of a JSON object, their values as ranges of its exact bytes.
package struct JSONMembers {
  /// Every member in the order of the text, repeated keys included.
  package let all: [(key: String, value: Range<Int>)]

  /// The members of the object that `line` is; nil where it is another value.
  ///
  /// - Throws: `JSONError` where `line` is no JSON.
  package init?(of line: [UInt8]) throws {
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
  package subscript(key: String) -> Range<Int>? { all.last { $0.key == key }?.value }
}

extension JSONMembers {
  /// The string under `key` of the object that `line` is, nil where there is none.
  package func text(_ key: String, in line: [UInt8]) -> String? {
    guard let range = self[key],
      case .string(let text) = try? JSONValue(parsing: Array(line[range]))
    else { return nil }
    return text
  }

  /// The integer under `key` of the object that `line` is, nil where there is none.
  package func integer(_ key: String, in line: [UInt8]) -> Int? {
    self[key].flatMap { Int(String(decoding: line[$0], as: UTF8.self)) }
  }
}
