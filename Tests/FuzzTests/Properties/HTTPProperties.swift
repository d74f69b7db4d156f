import EventStoreTesting
import Foundation

@testable import MarketServer

/// The market server reads what a client sends as requests, or refuses it with a status.
enum HTTPProperties {
  static func check(_ input: [UInt8]) throws {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { return }
    let server = Descriptor(ends[0])
    // The whole input fits into the socket's buffer, so that no thread has to write it.
    let sent = input.withUnsafeBytes { send(ends[1], $0.baseAddress, $0.count, 0) }
    shutdown(ends[1], Int32(SHUT_WR))
    defer { close(ends[1]) }
    try require(sent == input.count, "\(sent) of \(input.count) bytes were sent")
    let reader = RequestReader(stream: ClientStream(server), maximumBodyBytes: 1 << 10)
    // Each request takes at least one byte.
    for _ in 0...input.count {
      switch reader.next() {
      case .request(let request): try check(request)
      case .refusal(let refusal):
        try require((400...599).contains(refusal.status), "refused with \(refusal.status)")
        return try requireMessage(refusal.message, for: input)
      case .end: return
      }
    }
    throw BrokenPromise("more requests than bytes in \(shown(input))")
  }

  private static func check(_ request: ReceivedRequest) throws {
    try require(request.body.count <= 1 << 10, "a body of \(request.body.count) bytes")
    try require(request.target.utf8.first == UInt8(ascii: "/"), "the target \(request.target)")
    try require(!request.method.isEmpty && !request.path.isEmpty, "nothing is asked for")
    for header in request.headers {
      try require(
        !header.value.unicodeScalars.contains { $0 == "\r" || $0 == "\n" || $0 == "\0" },
        "a header of two lines: \(header)")
      try require(
        header.name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") },
        "the name \(header.name.debugDescription)")
    }
    let lengths = request.headers.filter {
      ["content-length", "transfer-encoding"].contains($0.name)
    }
    try require(lengths.count <= 1, "two lengths of one body")
    if let text = request[header: "content-length"] {
      try require(Int(text) == request.body.count, "a body of another length than \(text)")
    }
  }
}
