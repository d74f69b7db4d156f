extension JSONPatch {
  /// What `document` becomes after every step. A patch is all or nothing.
  /// - Throws: `JSONError.patch` with the step that cannot be taken, its place, and why.
  /// - Complexity: for each step O(n) in the members and elements on the way to its place.
  public func applied(to document: JSONValue) throws(JSONError) -> JSONValue {
    var document = document
    for (index, operation) in operations.enumerated() {
      do throws(JSONError) {
        try document.apply(operation)
      } catch {
        throw error.asFailure(of: operation, at: index)
      }
    }
    return document
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
        throw .nothingAt(path, reason: "a value cannot be moved from \(from) into itself")
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
