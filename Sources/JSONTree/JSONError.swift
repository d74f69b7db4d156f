/// Everything that this module can refuse.
///
/// Its description is one sentence that says what was wrong, where, and what was expected:
/// `expected ':' after the key, found '1' at byte 17`.
public enum JSONError: Error, Hashable, Sendable {
  // The text is not JSON. Offsets count bytes from 0.
  /// Something else than the grammar asks for stands at `offset`.
  case syntax(offset: Int, expected: String, found: String)
  /// A string at `offset` holds bytes or escapes that no string may hold.
  case text(offset: Int, reason: String)
  /// The container at `offset` lies deeper than `limit` levels.
  case tooDeep(offset: Int, limit: Int)
  /// The text has more bytes than an index can address.
  case tooLong(bytes: Int, limit: Int)
  /// The key at `offset` stands in its object a second time.
  case duplicateKey(String, offset: Int)

  // Pointers and patches.
  /// `text` is no JSON Pointer.
  case pointer(String, reason: String)
  /// Nothing lies at `pointer`.
  case nothingAt(JSONPointer, reason: String)
  /// A document is no JSON Patch. `operation` counts from 0; nil where no operation is to blame.
  case notAPatch(operation: Int?, reason: String)
  /// The operation with index `operation`, counted from 0, cannot be applied.
  case patch(operation: Int, name: String, pointer: JSONPointer, reason: String)

  // Predicates.
  /// A predicate goes wrong at `column`, counted in characters from 1.
  case predicate(column: Int, reason: String)
  /// `text` is no regular expression.
  case pattern(String, reason: String)
  /// A string is longer than what a regular expression looks through.
  case subject(bytes: Int, limit: Int)
}

extension JSONError {
  /// Where in the text the fault lies, in bytes from 0; nil where the fault is not in a text.
  public var offset: Int? {
    switch self {
    case .syntax(let offset, _, _), .text(let offset, _), .tooDeep(let offset, _),
      .duplicateKey(_, let offset):
      offset
    case .tooLong, .pointer, .nothingAt, .notAPatch, .patch, .predicate, .pattern, .subject: nil
    }
  }
}

extension JSONError: CustomStringConvertible {
  /// One sentence without a full stop.
  public var description: String {
    switch self {
    case .syntax(let offset, let expected, let found):
      "expected \(expected), found \(found) at byte \(offset)"
    case .text(let offset, let reason): "\(reason) at byte \(offset)"
    case .tooDeep(let offset, let limit):
      "arrays and objects nested deeper than \(limit) levels at byte \(offset)"
    case .tooLong(let bytes, let limit):
      "a JSON text of \(bytes) bytes is longer than the \(limit) bytes that can be read"
    case .duplicateKey(let key, let offset): "duplicate key \(Self.quoted(key)) at byte \(offset)"
    case .pointer(let text, let reason): "\(Self.quoted(text)) is no JSON Pointer: \(reason)"
    case .nothingAt(let pointer, let reason): "nothing at \(Self.place(pointer)): \(reason)"
    case .notAPatch(let operation, let reason):
      operation.map { "not a JSON Patch: operation \($0): \(reason)" }
        ?? "not a JSON Patch: \(reason)"
    case .patch(let operation, let name, let pointer, let reason):
      "operation \(operation) (\(name)) at \(Self.place(pointer)): \(reason)"
    case .predicate(let column, let reason): "at column \(column): \(reason)"
    case .pattern(let text, let reason):
      "\(Self.quoted(text)) is no regular expression: \(reason)"
    case .subject(let bytes, let limit):
      "a string of \(bytes) bytes is longer than the \(limit) bytes that a regular expression "
        + "looks through"
    }
  }

  private static func place(_ pointer: JSONPointer) -> String {
    pointer.isRoot ? "the root" : pointer.shortDescription
  }

  private static func quoted(_ text: String) -> String {
    JSONValue.string(text.count <= 200 ? text : text.prefix(200) + "…").description
  }
}
