/// A place in a JSON document (RFC 6901): `/items/0/title`. The empty pointer is the document.
///
///     let pointer = try JSONPointer("/a~1b/0")    // the first element of the member "a/b"
///     JSONPointer().appending("items").appending(0).description     // /items/0
public struct JSONPointer: Sendable {
  /// Keys and indices from the root, without their escapes.
  public private(set) var tokens: [String]

  /// The pointer of these keys and indices; of none, the root.
  public init(tokens: [String] = []) { self.tokens = tokens }

  /// Reads a pointer: nothing, or `/` before each token, in which `~0` is `~` and `~1` is `/`.
  /// - Throws: `JSONError.pointer` for any other text.
  public init(_ text: String) throws(JSONError) {
    tokens = []
    let bytes = Array(text.utf8)
    guard !bytes.isEmpty else { return }
    guard bytes[0] == UInt8(ascii: "/") else {
      throw .pointer(text, reason: "it must be empty or start with '/'")
    }
    for token in bytes.dropFirst().split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    {
      guard let token = Self.unescaped(token) else {
        throw .pointer(text, reason: "after '~' must come 0 (for '~') or 1 (for '/')")
      }
      tokens.append(token)
    }
  }
}

extension JSONPointer {
  /// Whether this is the whole document.
  public var isRoot: Bool { tokens.isEmpty }

  /// The place of the member `key` of what lies here.
  public func appending(_ key: String) -> JSONPointer { JSONPointer(tokens: tokens + [key]) }

  /// The place of the element `index`, from 0, of what lies here.
  public func appending(_ index: Int) -> JSONPointer { appending(String(index)) }

  /// The place of what holds this place, and the token that leads from there to here; nil for the
  /// root.
  public var parent: (pointer: JSONPointer, token: String)? {
    tokens.last.map { (JSONPointer(tokens: tokens.dropLast()), $0) }
  }

  /// Whether `other` lies here or inside of what lies here.
  public func contains(_ other: JSONPointer) -> Bool {
    other.tokens.count >= tokens.count && zip(tokens, other.tokens).allSatisfy(JSONText.equal)
  }

  private static func unescaped(_ token: ArraySlice<UInt8>) -> String? {
    var bytes: [UInt8] = []
    var rest = token
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "~") else {
        bytes.append(byte)
        continue
      }
      switch rest.popFirst() {
      case UInt8(ascii: "0"): bytes.append(UInt8(ascii: "~"))
      case UInt8(ascii: "1"): bytes.append(UInt8(ascii: "/"))
      default: return nil
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func escaped(_ token: String) -> [UInt8] {
    token.utf8.flatMap { byte -> [UInt8] in
      switch byte {
      case UInt8(ascii: "~"): Array("~0".utf8)
      case UInt8(ascii: "/"): Array("~1".utf8)
      default: [byte]
      }
    }
  }
}

extension JSONPointer: CustomStringConvertible {
  /// The pointer's text, which reads back as the same pointer. The root is the empty string.
  public var description: String {
    String(decoding: tokens.flatMap { [UInt8(ascii: "/")] + Self.escaped($0) }, as: UTF8.self)
  }
}

extension JSONPointer {
  /// The pointer's text for a message: its first tokens, where it is long.
  package var shortDescription: String {
    let text = JSONPointer(tokens: Array(tokens.prefix(Self.shownTokens))).description
    let isWhole = tokens.count <= Self.shownTokens && text.count <= Self.shownCharacters
    return isWhole ? text : text.prefix(Self.shownCharacters) + "…"
  }

  private static let (shownTokens, shownCharacters) = (40, 400)
}

extension JSONPointer: Hashable {
  /// Whether both have the same tokens, by their bytes.
  public static func == (left: JSONPointer, right: JSONPointer) -> Bool {
    left.tokens.count == right.tokens.count && left.contains(right)
  }

  /// Hashes what equality compares.
  public func hash(into hasher: inout Hasher) {
    for token in tokens { JSONText.hash(token, into: &hasher) }
  }
}

extension JSONPointer: Comparable {
  /// Token by token by their bytes, a place before what lies in it.
  public static func < (left: JSONPointer, right: JSONPointer) -> Bool {
    for (one, other) in zip(left.tokens, right.tokens) {
      let order = JSONText.compare(one, other)
      if order != 0 { return order < 0 }
    }
    return left.tokens.count < right.tokens.count
  }
}
