/// Parses the head of a request (RFC 9112). What two readers could understand differently is
/// refused.
enum RequestHead {
  /// The request whose head is `bytes`, the empty line at its end not included.
  static func parse(_ bytes: some Collection<UInt8>) throws(Refusal) -> ReceivedRequest {
    guard let text = String(validating: bytes, as: UTF8.self), !text.unicodeScalars.contains("\0")
    else { throw .malformed("the head is not UTF-8") }
    var lines = text.components("\r\n")
    guard !lines.contains(where: { $0.unicodeScalars.contains { $0 == "\r" || $0 == "\n" } }) else {
      throw .malformed("a line of the head ends in half a line break")
    }
    let first = lines.removeFirst().split(separator: " ", omittingEmptySubsequences: false)
    guard first.count == 3, isToken(first[0]) else {
      throw .malformed("the first line is not METHOD TARGET VERSION")
    }
    guard first[2] == "HTTP/1.1" || first[2] == "HTTP/1.0" else {
      throw Refusal(status: 505, message: "HTTP/1.1 is spoken here")
    }
    var headers: [ReceivedRequest.Header] = []
    for line in lines { headers.append(try header(line)) }
    try check(headers, isVersion1_0: first[2] == "HTTP/1.0")
    return try request(first, headers)
  }

  private static func request(
    _ first: [Substring], _ headers: [ReceivedRequest.Header]
  ) throws(Refusal) -> ReceivedRequest {
    let target = try Target(first[1])
    let connection = headers.filter { $0.name == "connection" }.map { $0.value.lowercased() }
    let keepsAlive =
      first[2] == "HTTP/1.1" ? !connection.contains("close") : connection.contains("keep-alive")
    return ReceivedRequest(
      method: String(first[0]), target: String(first[1]), path: target.path, query: target.query,
      headers: headers, keepsAlive: keepsAlive)
  }

  private static func header(_ line: Substring) throws(Refusal) -> ReceivedRequest.Header {
    guard let colon = line.firstIndex(of: ":"), isToken(line[..<colon]) else {
      throw .malformed("a header is not NAME: VALUE")
    }
    let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
    let end = value.lastIndex { $0 != " " && $0 != "\t" }
    return ReceivedRequest.Header(
      name: line[..<colon].lowercased(), value: end.map { String(value[...$0]) } ?? "")
  }

  private static func check(
    _ headers: [ReceivedRequest.Header], isVersion1_0: Bool
  ) throws(Refusal) {
    let names = headers.map(\.name)
    let hosts = names.count { $0 == "host" }
    guard hosts == 1 || (isVersion1_0 && hosts == 0) else {
      throw .malformed("there must be one header Host")
    }
    let (lengths, encodings) = (
      names.count { $0 == "content-length" }, names.count { $0 == "transfer-encoding" }
    )
    guard lengths + encodings <= 1 else {
      throw .malformed("the length of the body is given twice")
    }
  }

  /// Whether `text` is a token of RFC 9110: a method or a header's name.
  private static func isToken(_ text: Substring) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }

  /// What is asked for, taken apart.
  private struct Target {
    var path: [String] = []
    var query: [(name: String, value: String)] = []

    init(_ text: Substring) throws(Refusal) {
      guard text.first == "/" else { throw .malformed("the target is not a path") }
      let mark = text.firstIndex(of: "?")
      for part in text[..<(mark ?? text.endIndex)].dropFirst()
        .split(separator: "/", omittingEmptySubsequences: false)
      {
        path.append(try Self.decoded(part, plusIsSpace: false))
      }
      guard let mark else { return }
      for pair in text[text.index(after: mark)...].split(separator: "&") {
        let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let value = try Self.decoded(parts.dropFirst().first ?? "", plusIsSpace: true)
        query.append((try Self.decoded(parts[0], plusIsSpace: true), value))
      }
    }

    private static func decoded(_ text: Substring, plusIsSpace: Bool) throws(Refusal) -> String {
      guard let decoded = Escapes.decoded(text, plusIsSpace: plusIsSpace) else {
        throw .malformed("the target is escaped wrongly")
      }
      return decoded
    }
  }
}

extension String {
  /// What lies between the `separator`s, by scalars: to Swift, a line break of two is one character.
  fileprivate func components(_ separator: String) -> [Substring] {
    var parts: [Substring] = []
    var rest = self[...]
    while let range = rest.firstRange(of: separator) {
      parts.append(rest[..<range.lowerBound])
      rest = rest[range.upperBound...]
    }
    return parts + [rest]
  }
}
