import Foundation

/// A socket on 127.0.0.1 that clients connect to.
struct Listener: Sendable {
  /// The port it listens on.
  let port: UInt16
  private let socket: Descriptor
  private let stopping: Wake

  /// How many clients may wait to be accepted.
  private static let backlog: Int32 = 128

  /// - Parameter port: 0 for any that is free.
  /// - Throws: `SystemError`, such as for a port that is taken.
  init(port: UInt16, stopping: Wake) throws {
    // From its first moment: a process that is started meanwhile would keep the port open.
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    let number = Foundation.socket(AF_INET, type, 0)
    guard number >= 0 else { throw SystemError("socket") }
    socket = Descriptor(number)
    self.stopping = stopping
    var yes: Int32 = 1
    setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    guard Self.withGeneric(&address, { bind(number, $0, $1) }) == 0 else {
      throw SystemError("bind")
    }
    guard listen(number, Self.backlog) == 0 else { throw SystemError("listen") }
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = Self.withGeneric(&address) { pointer, _ in getsockname(number, pointer, &length) }
    self.port = UInt16(bigEndian: address.sin_port)
    // A client that gives up between poll and accept must not make accept wait.
    _ = fcntl(number, F_SETFL, O_NONBLOCK)
  }

  private static func withGeneric<R>(
    _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> R
  ) -> R {
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  /// Hands on each client that connects, until the server is stopped; blocks its thread.
  func run(_ accepted: (Descriptor) -> Void) {
    while true {
      var polled = [
        pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0),
        pollfd(fd: stopping.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      _ = poll(&polled, nfds_t(polled.count), -1)
      if polled[1].revents != 0 { break }
      let number = accept(socket.number, nil, nil)
      if number >= 0 {
        accepted(Descriptor(number))
      } else if errno == EMFILE || errno == ENFILE {
        // The client goes on waiting; without a pause this would be a busy loop until one leaves.
        usleep(10_000)
      }
    }
    socket.close()
  }
}
