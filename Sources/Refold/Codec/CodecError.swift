import JSONTree

/// Why a value could not be encoded or decoded: where, what was expected there, what was found.
///
///     at /increase/by: expected an integer that fits Int, found 9223372036854775808
///     at /increase/x: unknown key, expected: by
public struct CodecError: Error, Hashable, Sendable {
  /// What went wrong.
  public enum Kind: Hashable, Sendable {
    /// The bytes are not JSON. The offset, from 0, is where they go wrong.
    case notJSON(offset: Int)
    /// A value is of another kind than was asked for: a string for a number, null for a value.
    case wrongKind
    /// A value is of the right kind, but not one that the type can hold exactly.
    case doesNotFit
    /// An object has not this key.
    case missingKey(String)
    /// Input holds a key that nothing read.
    case unknownKey(String)
    /// Input holds this key twice in one object.
    case duplicateKey(String)
    /// An object that should name one case of an enum has these keys, or none.
    case unknownCase([String])
    /// An array has fewer elements than were asked for, or input has more.
    case elementCount
    /// The type's own coding refused.
    case refused
    /// The value cannot be written as JSON.
    case notEncodable
  }

  /// What went wrong.
  public let kind: Kind
  /// Where in the document.
  public let pointer: JSONPointer
  /// What was expected there, in words that follow "expected": `an object`. Empty where nothing in
  /// particular was.
  public let expected: String
  /// What was found there, in words that follow "found", or the reason of a refusal.
  public let found: String

  /// An error from its parts.
  public init(kind: Kind, pointer: JSONPointer, expected: String, found: String) {
    (self.kind, self.pointer, self.expected, self.found) = (kind, pointer, expected, found)
  }
}

extension CodecError: CustomStringConvertible {
  /// One sentence without a full stop: where, then what.
  public var description: String {
    pointer.isRoot ? message : "at \(pointer.shortDescription): \(message)"
  }

  /// The description without the place.
  public var message: String {
    switch kind {
    case .notJSON: "not JSON: \(found)"
    case .wrongKind, .doesNotFit, .elementCount: "expected \(expected), found \(found)"
    case .missingKey(let key): "missing key \(Self.quoted(key)), found \(found)"
    case .unknownKey: expected.isEmpty ? "unknown key" : "unknown key, expected: \(expected)"
    case .duplicateKey: "duplicate key, expected every key once"
    case .unknownCase:
      "expected an object with the name of one case as its only key, found \(found)"
    case .refused, .notEncodable:
      expected.isEmpty ? found : "expected \(expected), found \(found)"
    }
  }

  /// The same error about a value that must not be shown: what was expected, and where.
  package var concealed: CodecError {
    switch kind {
    case .notJSON, .notEncodable: self
    case .unknownKey, .duplicateKey:
      CodecError(
        kind: kind, pointer: pointer.parent?.pointer ?? pointer, expected: expected,
        found: Self.notShown)
    case .wrongKind, .doesNotFit, .elementCount, .missingKey, .unknownCase:
      CodecError(kind: kind, pointer: pointer, expected: expected, found: Self.notShown)
    case .refused:
      CodecError(
        kind: kind, pointer: pointer, expected: expected.isEmpty ? "another value" : expected,
        found: Self.notShown)
    }
  }

  private static let notShown = "something that is not shown, since there are secrets in it"

  /// The text as a JSON string, cut where it gets long.
  static func quoted(_ text: String) -> String {
    JSONValue.string(text.count <= 60 ? text : text.prefix(60) + "…").description
  }

  /// Keys as a list for people: `the keys "a", "b"`.
  static func list(keys: [String]) -> String {
    switch keys.count {
    case 0: "an object without keys"
    case 1: "the key \(quoted(keys[0]))"
    case 2...8: "the keys " + keys.map(quoted).joined(separator: ", ")
    default: "\(keys.count) keys, the first \(quoted(keys[0]))"
    }
  }
}
