/// The steps that turn one document into another (RFC 6902).
///
///     let patch = JSONPatch(from: ["value": 1], to: ["value": 2])
///     patch.json.description          // [{"op":"replace","path":"/value","value":2}]
///     try patch.applied(to: ["value": 1])
public struct JSONPatch: Hashable, Sendable {
  /// One step. Paths are in the document as the steps before have left it.
  public enum Operation: Hashable, Sendable {
    /// Adds a member, or sets it where it is there; inserts an element, `-` for after the last.
    case add(JSONPointer, JSONValue)
    /// Removes what is there.
    case remove(JSONPointer)
    /// Sets what is there.
    case replace(JSONPointer, JSONValue)
    /// Removes what is at the first place and adds it at the second.
    case move(from: JSONPointer, to: JSONPointer)
    /// Adds what is at the first place at the second, too.
    case copy(from: JSONPointer, to: JSONPointer)
    /// Fails unless the value is there.
    case test(JSONPointer, JSONValue)
  }

  /// The steps, first to last.
  public var operations: [Operation]

  /// A patch of these steps.
  public init(_ operations: [Operation] = []) { self.operations = operations }
}

extension JSONPatch.Operation {
  /// The operation's `op`.
  public var name: String {
    switch self {
    case .add: "add"
    case .remove: "remove"
    case .replace: "replace"
    case .move: "move"
    case .copy: "copy"
    case .test: "test"
    }
  }

  /// The operation's `path`: the place that it changes or looks at.
  public var path: JSONPointer {
    switch self {
    case .add(let path, _), .remove(let path), .replace(let path, _), .move(_, let path),
      .copy(_, let path), .test(let path, _):
      path
    }
  }
}

extension JSONPatch {
  /// The patch as JSON: an array of objects, with `op`, `from`, `path`, `value` in this order.
  public var json: JSONValue { .array(operations.map(\.json)) }

  /// Reads a patch. Members that RFC 6902 does not define are ignored, as it asks.
  /// - Throws: `JSONError.notAPatch` with the operation to blame.
  public init(_ json: JSONValue) throws(JSONError) {
    guard case .array(let elements) = json else {
      throw .notAPatch(operation: nil, reason: "expected an array, found \(json.kindName)")
    }
    operations = []
    for (index, element) in elements.enumerated() {
      operations.append(try OperationReader(json: element, index: index).operation())
    }
  }
}

extension JSONPatch: CustomStringConvertible {
  /// The patch as compact JSON.
  public var description: String { json.description }
}

extension JSONPatch.Operation {
  fileprivate var json: JSONValue {
    let path = JSONValue.string(path.description)
    return switch self {
    case .add(_, let value), .replace(_, let value), .test(_, let value):
      ["op": .string(name), "path": path, "value": value]
    case .remove: ["op": .string(name), "path": path]
    case .move(let from, _), .copy(let from, _):
      ["op": .string(name), "from": .string(from.description), "path": path]
    }
  }
}

private struct OperationReader {
  let json: JSONValue
  let index: Int

  func operation() throws(JSONError) -> JSONPatch.Operation {
    guard case .object = json else { throw failure("expected an object, found \(json.kindName)") }
    let name = try string("op")
    switch name {
    case "add": return .add(try pointer("path"), try value())
    case "remove": return .remove(try pointer("path"))
    case "replace": return .replace(try pointer("path"), try value())
    case "move": return .move(from: try pointer("from"), to: try pointer("path"))
    case "copy": return .copy(from: try pointer("from"), to: try pointer("path"))
    case "test": return .test(try pointer("path"), try value())
    default:
      throw failure(
        "unknown op \(JSONValue.string(name)), expected add, remove, replace, move, copy or test")
    }
  }

  private func value() throws(JSONError) -> JSONValue {
    guard let value = json["value"] else { throw failure("missing key \"value\"") }
    return value
  }

  private func pointer(_ key: String) throws(JSONError) -> JSONPointer {
    let text = try string(key)
    do throws(JSONError) {
      return try JSONPointer(text)
    } catch {
      throw failure("\(key): \(error)")
    }
  }

  private func string(_ key: String) throws(JSONError) -> String {
    guard let value = json[key] else { throw failure("missing key \"\(key)\"") }
    guard case .string(let text) = value else {
      throw failure("\(key): expected a string, found \(value.kindName)")
    }
    return text
  }

  private func failure(_ reason: String) -> JSONError {
    .notAPatch(operation: index, reason: reason)
  }
}
