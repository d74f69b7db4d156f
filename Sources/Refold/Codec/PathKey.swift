import JSONTree

/// A step of a coding path: a member's key or an element's index.
struct PathKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }

  init(intValue: Int) { (stringValue, self.intValue) = (String(intValue), intValue) }

  /// The step to an element, in the form that coders of arrays use.
  init(index: Int) { (stringValue, intValue) = ("Index \(index)", index) }

  static let superKey = PathKey(stringValue: "super")
}

extension PathKey {
  /// The step as a token of a JSON Pointer.
  static func token(_ key: any CodingKey) -> String {
    guard let index = key.intValue, key.stringValue == "Index \(index)" else {
      return key.stringValue
    }
    return String(index)
  }
}

extension JSONPointer {
  /// The place that a coding path leads to.
  init(codingPath: [any CodingKey]) {
    self.init(tokens: codingPath.map(PathKey.token))
  }
}
