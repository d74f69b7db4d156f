import JSONTree

/// What `search` looks for in the text of payloads and values.
struct TextPattern {
  private enum Matcher {
    /// Bytes; letters of ASCII in either case where case is ignored.
    case bytes(BytePattern, count: Int)
    /// Text in which every letter is lowered, as the searched text is.
    case lowered(BytePattern)
    case regex(Regex<AnyRegexOutput>)
  }

  private let matcher: Matcher
  private let text: String

  /// A pattern of `text`, a regular expression where `isRegex`.
  ///
  /// - Throws: `Failure` with `.usage` for an empty pattern or no regular expression.
  init(_ text: String, isRegex: Bool, ignoresCase: Bool) throws {
    self.text = text
    if text.isEmpty { throw Failure(.usage, "PATTERN is empty: every event has it. See: log") }
    if isRegex {
      do throws(JSONError) {
        let regex = try JSONPredicate.regex(text)
        matcher = .regex(ignoresCase ? regex.ignoresCase() : regex)
      } catch {
        throw Failure(.usage, "PATTERN: \(error)")
      }
    } else if ignoresCase, !text.utf8.allSatisfy({ $0 < 0x80 }) {
      matcher = .lowered(BytePattern(text.lowercased().utf8))
    } else {
      matcher = .bytes(
        BytePattern(text.utf8, ignoresCase: ignoresCase), count: text.utf8.count)
    }
  }

  /// How far around a change a match may reach, in bytes.
  var reach: Int {
    switch matcher {
    case .bytes(_, let count): count - 1
    case .lowered: 4 * text.utf8.count
    case .regex: 200
    }
  }

  /// The first match in `bytes`, as it stands there; nil where there is none.
  func firstMatch(in bytes: UnsafeRawBufferPointer) -> String? {
    switch matcher {
    case .bytes(let pattern, let count):
      guard let start = pattern.firstOffset(in: bytes) else { return nil }
      return String(decoding: bytes[start..<start + count], as: UTF8.self)
    case .lowered(let pattern):
      let lowered = Array(String(decoding: bytes, as: UTF8.self).lowercased().utf8)
      return lowered.withUnsafeBytes { pattern.firstOffset(in: $0) } == nil ? nil : text
    case .regex(let regex):
      let subject = String(decoding: bytes, as: UTF8.self)
      return (try? regex.firstMatch(in: subject)).map { String(subject[$0.range]) }
    }
  }

  /// The first match in `text`.
  func firstMatch(in text: String) -> String? {
    var text = text
    return text.withUTF8 { firstMatch(in: UnsafeRawBufferPointer($0)) }
  }
}

/// Looks through payloads: through the JSON as it stands, then through the strings in it that are
/// written with escapes.
struct PayloadSearch {
  private let pattern: TextPattern
  private var index = JSONIndex()

  init(_ pattern: TextPattern) { self.pattern = pattern }

  /// The first match in `payload`, nil where there is none.
  mutating func firstMatch(in payload: RawSpan) -> String? {
    payload.withUnsafeBytes { bytes in
      if let match = pattern.firstMatch(in: bytes) { return match }
      guard bytes.contains(UInt8(ascii: "\\")), (try? index.parse(payload)) != nil else {
        return nil
      }
      for node in index.nodes.indices where index.nodes[node].flags.contains(.escaped) {
        if let match = pattern.firstMatch(in: index.string(at: node, in: bytes)) { return match }
      }
      return nil
    }
  }
}
