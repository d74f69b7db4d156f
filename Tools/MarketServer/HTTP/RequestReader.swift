/// Reads a client's requests, one after the other.
struct RequestReader {
  /// What the next request is.
  enum Next {
    case request(ReceivedRequest)
    /// It cannot be read, and neither what follows it.
    case refusal(Refusal)
    /// The client has closed the connection, perhaps in the middle.
    case end
  }

  let stream: ClientStream
  let maximumBodyBytes: Int

  /// What a head may be long: much more than ours are.
  static let maximumHeadBytes = 64 << 10
  private static let maximumChunkLineBytes = 1 << 10
  private static let lineBreak = Array("\r\n".utf8)

  func next() -> Next {
    do {
      guard let head = try line(endingIn: "\r\n\r\n", limit: Self.maximumHeadBytes) else {
        throw Refusal(status: 431, message: "the head has more than \(Self.maximumHeadBytes) bytes")
      }
      // An empty line before a request is left over from the one before (RFC 9112, 2.2).
      var request = try RequestHead.parse(
        head.starts(with: Self.lineBreak) ? head.dropFirst(2) : head)
      request.body = try body(of: request)
      return .request(request)
    } catch let refusal as Refusal {
      return .refusal(refusal)
    } catch {
      return .end
    }
  }

  private func body(of request: ReceivedRequest) throws -> [UInt8] {
    if let encoding = request[header: "transfer-encoding"] {
      guard encoding.lowercased() == "chunked" else {
        throw Refusal(status: 501, message: "no transfer encoding but chunked is known here")
      }
      try allowBody(of: request)
      return try chunks()
    }
    guard let text = request[header: "content-length"] else { return [] }
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = Int(text) else {
      throw Refusal.malformed("Content-Length is no number")
    }
    guard length <= maximumBodyBytes else { throw tooLong }
    if length > 0 { try allowBody(of: request) }
    return try bytes(length)
  }

  private var tooLong: Refusal {
    Refusal(status: 413, message: "a body has at most \(maximumBodyBytes) bytes")
  }

  /// Tells a client that asks before it sends a body to go on.
  private func allowBody(of request: ReceivedRequest) throws {
    guard let expectation = request[header: "expect"] else { return }
    guard expectation.lowercased() == "100-continue" else {
      throw Refusal(status: 417, message: "nothing but 100-continue can be expected here")
    }
    if stream.available.isEmpty { try stream.write("HTTP/1.1 100 Continue\r\n\r\n".utf8) }
  }

  private func chunks() throws -> [UInt8] {
    var body: [UInt8] = []
    while true {
      let size = try chunkSize()
      guard size <= maximumBodyBytes - body.count else { throw tooLong }
      if size == 0 { break }
      body += try bytes(size)
      guard try bytes(2) == Self.lineBreak else { throw Refusal.malformed("a chunk is too long") }
    }
    while try !chunkLine().isEmpty {}
    return body
  }

  private func chunkSize() throws -> Int {
    let digits = try chunkLine().prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
    let text = String(decoding: digits, as: UTF8.self)
    guard text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
      let size = Int(text, radix: 16)
    else { throw Refusal.malformed("the size of a chunk is no number") }
    return size
  }

  private func chunkLine() throws -> [UInt8] {
    guard let line = try line(endingIn: "\r\n", limit: Self.maximumChunkLineBytes) else {
      throw Refusal.malformed("a line between chunks is too long")
    }
    return Array(line)
  }

  private func bytes(_ count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      if stream.available.isEmpty { try stream.readMore() }
      bytes += stream.take(min(count - bytes.count, stream.available.count))
    }
    return bytes
  }

  /// What comes before `end`, which is taken too; nil where it is longer than `limit`.
  private func line(endingIn end: String, limit: Int) throws -> ArraySlice<UInt8>? {
    let end = Array(end.utf8)
    var searched = 0
    while true {
      let available = stream.available
      if let length = available.dropFirst(max(searched - end.count + 1, 0)).offset(
        of: end, from: available.startIndex)
      {
        guard length <= limit else { return nil }
        return stream.take(length + end.count).dropLast(end.count)
      }
      guard available.count <= limit else { return nil }
      searched = available.count
      try stream.readMore()
    }
  }
}

extension ArraySlice<UInt8> {
  /// How far behind `start` the bytes of `word` begin; nil where they are not there.
  fileprivate func offset(of word: [UInt8], from start: Int) -> Int? {
    guard count >= word.count else { return nil }
    for index in startIndex...(endIndex - word.count)
    where self[index] == word[0] && self[index..<index + word.count].elementsEqual(word) {
      return index - start
    }
    return nil
  }
}
