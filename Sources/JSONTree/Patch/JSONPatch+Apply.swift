extension JSONPatch {
  /// What `document` becomes after every step. A patch is all or nothing.
  ///
  /// What steps make of it can be written and read: no deeper than `JSONIndex.maximumDepth`, and with
  /// no more than `mostCopied` values from `copy`.
  /// - Throws: `JSONError.patch` with the step that cannot be taken, its place, and why.
  /// - Complexity: for each step O(n) in the members and elements on the way to its place, and in
  ///   the values that it puts there.
  public func applied(to document: JSONValue) throws(JSONError) -> JSONValue {
    var document = document
    var growth = PatchGrowth()
    for (index, operation) in operations.enumerated() {
      do throws(JSONError) {
        try growth.allow(operation, on: document)
        try document.apply(operation)
      } catch {
        throw error.asFailure(of: operation, at: index)
      }
    }
    return document
  }
}

extension JSONPatch {
  /// The most values that the copies of one patch may make together: each may double the document.
  public static let mostCopied = 1 << 20
}

/// How deep and how large a patch makes a document.
private struct PatchGrowth {
  private var copied = 0

  mutating func allow(
    _ operation: JSONPatch.Operation, on document: JSONValue
  ) throws(JSONError) {
    switch operation {
    case .remove, .test: return
    case .add(let path, let value), .replace(let path, let value): try allow(value, at: path)
    case .move(let from, let path):
      // What goes no further down than it was is no deeper than it was.
      if path.tokens.count > from.tokens.count, let value = document[from] {
        try allow(value, at: path)
      }
    case .copy(let from, let path):
      guard let value = document[from] else { return }
      guard value.count(to: JSONPatch.mostCopied, into: &copied) else {
        throw .nothingAt(
          path, reason: "the copies of a patch may make no more than \(JSONPatch.mostCopied) values"
        )
      }
      try allow(value, at: path)
    }
  }

  private func allow(_ value: JSONValue, at path: JSONPointer) throws(JSONError) {
    guard value.isNested(within: JSONIndex.maximumDepth - path.tokens.count) else {
      throw .nothingAt(
        path, reason: "the document would be nested deeper than \(JSONIndex.maximumDepth) levels")
    }
  }
}

extension JSONValue {
  /// Whether there are at most `levels` of arrays and objects inside one another.
  fileprivate func isNested(within levels: Int) -> Bool {
    switch self {
    case .null, .bool, .number, .string: levels >= 0
    case .array(let elements):
      levels > 0 && elements.allSatisfy { $0.isNested(within: levels - 1) }
    case .object(let object):
      levels > 0 && object.members.allSatisfy { $0.value.isNested(within: levels - 1) }
    }
  }

  /// Adds the number of values in this one, itself included, to `sum`, and gives up beyond `bound`.
  /// - Returns: whether there are no more.
  fileprivate func count(to bound: Int, into sum: inout Int) -> Bool {
    sum += 1
    guard sum <= bound else { return false }
    switch self {
    case .null, .bool, .number, .string: return true
    case .array(let elements):
      for element in elements where !element.count(to: bound, into: &sum) { return false }
    case .object(let object):
      for member in object.members where !member.value.count(to: bound, into: &sum) { return false }
    }
    return true
  }
}

extension JSONError {
  fileprivate func asFailure(of operation: JSONPatch.Operation, at index: Int) -> JSONError {
    guard case .nothingAt(let pointer, let reason) = self else { return self }
    return .patch(operation: index, name: operation.name, pointer: pointer, reason: reason)
  }
}

extension JSONValue {
  /// Takes one step of a patch. What it throws leaves the value as it was, but for a `move` whose
  /// target is nowhere.
  package mutating func apply(_ operation: JSONPatch.Operation) throws(JSONError) {
    switch operation {
    case .add(let path, let value): try add(value, at: path)
    case .remove(let path): _ = try remove(at: path)
    case .replace(let path, let value): try edit(path, 0, .replace(value))
    case .move(let from, let path):
      // A value that is moved to where it is stays; RFC 6902 forbids only a place inside of it.
      if from == path {
        _ = try value(at: from)
        return
      }
      guard !from.contains(path) else {
        throw .nothingAt(
          path, reason: "a value cannot be moved from \(from.shortDescription) into itself")
      }
      try add(try remove(at: from), at: path)
    case .copy(let from, let path): try add(try value(at: from), at: path)
    case .test(let path, let expected):
      let found = try value(at: path)
      guard found == expected else {
        throw .nothingAt(path, reason: "expected \(expected.short), found \(found.short)")
      }
    }
  }

  private mutating func add(_ value: JSONValue, at path: JSONPointer) throws(JSONError) {
    try edit(path, 0, .add(value))
  }

  private mutating func remove(at path: JSONPointer) throws(JSONError) -> JSONValue {
    guard !path.isRoot else {
      throw .nothingAt(path, reason: "the document cannot be removed, only replaced")
    }
    let removed = try value(at: path)
    try edit(path, 0, .remove)
    return removed
  }

  /// The value in few enough characters for a message.
  private var short: String {
    let text = description
    return text.count <= 60 ? text : text.prefix(60) + "…"
  }
}

/// What happens at the end of a path.
private enum Edit {
  case add(JSONValue)
  case replace(JSONValue)
  case remove
}

extension JSONValue {
  /// Edits what the tokens of `path` from `depth` on lead to. Values on the way are taken out while
  /// they change, so that nothing but the edited containers is copied.
  private mutating func edit(
    _ path: JSONPointer, _ depth: Int, _ edit: Edit
  ) throws(JSONError) {
    guard depth < path.tokens.count else {
      switch edit {
      case .add(let value), .replace(let value): self = value
      case .remove: break
      }
      return
    }
    switch self {
    case .object(var object):
      self = .null
      defer { self = .object(object) }
      try object.edit(path, depth, edit)
    case .array(var elements):
      self = .null
      defer { self = .array(elements) }
      try Self.edit(&elements, path, depth, edit)
    case .null, .bool, .number, .string:
      throw .nothingAt(
        path, reason: reasonWithout(path.tokens[depth], pointer: path, at: depth))
    }
  }

  fileprivate static func edit(
    _ elements: inout [JSONValue], _ path: JSONPointer, _ depth: Int, _ edit: Edit
  ) throws(JSONError) {
    let token = path.tokens[depth]
    let isLast = depth + 1 == path.tokens.count
    if isLast, case .add(let value) = edit {
      let place = token == "-" ? elements.count : arrayIndex(token)
      guard let place, place <= elements.count else { throw nothing(in: elements, path, depth) }
      return elements.insert(value, at: place)
    }
    guard let place = arrayIndex(token), elements.indices.contains(place) else {
      throw nothing(in: elements, path, depth)
    }
    if isLast, case .remove = edit {
      _ = elements.remove(at: place)
      return
    }
    try elements[place].edit(path, depth + 1, edit)
  }

  private static func nothing(
    in elements: [JSONValue], _ path: JSONPointer, _ depth: Int
  ) -> JSONError {
    let reason = JSONValue.array(elements)
      .reasonWithout(path.tokens[depth], pointer: path, at: depth)
    return .nothingAt(path, reason: reason)
  }

  fileprivate mutating func editChild(
    _ path: JSONPointer, _ depth: Int, _ edit: Edit
  ) throws(JSONError) {
    try self.edit(path, depth, edit)
  }
}

extension JSONObject {
  fileprivate mutating func edit(
    _ path: JSONPointer, _ depth: Int, _ edit: Edit
  ) throws(JSONError) {
    let token = path.tokens[depth]
    let isLast = depth + 1 == path.tokens.count
    if isLast, case .add(let value) = edit {
      self[token] = value
      return
    }
    guard let place = place(of: token) else {
      let reason = JSONValue.object(self).reasonWithout(token, pointer: path, at: depth)
      throw .nothingAt(path, reason: reason)
    }
    if isLast, case .remove = edit {
      self[token] = nil
      return
    }
    try members[place].value.editChild(path, depth + 1, edit)
  }
}
