import Foundation
import MarketServer

/// What a client says and waits for, byte by byte: for what no decent client would say.
enum RawStep: Sendable {
  case send(String)
  case sendBytes([UInt8])
  /// Reads until it has seen this.
  case await(String)
  /// Ends what it sends, and goes on reading.
  case endSending
}

/// Takes the steps with a connection to `server`; everything that it said until it closed. On a
/// thread of its own, as it blocks.
func converse(_ server: MarketServer, _ steps: RawStep...) async throws -> String {
  let port = server.port
  return try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread {
      continuation.resume(with: Result { try RawClient(port: port).take(steps) })
    }
  }
}

/// Whether something takes connections to `port` of this machine's address `address`, such as 0x7f000001.
func isReachable(_ port: UInt16, at address: UInt32) -> Bool {
  (try? RawClient(port: port, address: address)) != nil
}

private final class RawClient {
  private let socket: Int32
  private var received: [UInt8] = []
  private var awaited = 0

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  init(port: UInt16, address host: UInt32 = 0x7f00_0001) throws {
    socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = host.bigEndian
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw Failure(description: "cannot connect: \(errno)") }
  }

  deinit { close(socket) }

  func take(_ steps: [RawStep]) throws -> String {
    for step in steps {
      switch step {
      case .send(let text): send(Array(text.utf8))
      case .sendBytes(let bytes): send(bytes)
      case .await(let text): try wait(for: text)
      case .endSending: shutdown(socket, Int32(SHUT_WR))
      }
    }
    while read() {}
    return String(decoding: received, as: UTF8.self)
  }

  /// Whatever cannot be sent is not: the server may have closed, and what it said counts.
  private func send(_ bytes: [UInt8]) {
    var start = 0
    while start < bytes.count {
      let count = bytes.withUnsafeBytes { bytes in
        let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
        return Foundation.send(socket, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      start += count
    }
  }

  private func wait(for text: String) throws {
    while true {
      let rest = String(decoding: received[awaited...], as: UTF8.self)
      if let range = rest.range(of: text) {
        awaited += rest[..<range.upperBound].utf8.count
        return
      }
      guard read() else { throw Failure(description: "closed before \(text); there was \(rest)") }
    }
  }

  private func read() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(socket, &buffer, buffer.count, 0)
    received += buffer.prefix(max(count, 0))
    return count > 0
  }
}
