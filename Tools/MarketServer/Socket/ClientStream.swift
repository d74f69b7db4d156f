import Foundation

/// The bytes to and from one client. Belongs to the connection's thread, which it blocks.
final class ClientStream {
  /// There is nothing more to read, or nobody to write to.
  struct Ended: Error {}

  private let socket: Descriptor
  private var isReset = false
  private var buffer: [UInt8] = []
  private var consumed = 0

  private static let readBytes = 64 << 10
  /// How long a client may be silent, in seconds, before its connection is given up.
  static let idleSeconds = 60

  init(_ socket: Descriptor) {
    self.socket = socket
    var patience = timeval(tv_sec: Self.idleSeconds, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(
        socket.number, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
    }
    var yes: Int32 = 1
    setsockopt(
      socket.number, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
  }

  /// What was read and not yet taken.
  var available: ArraySlice<UInt8> { buffer[consumed...] }

  /// Takes `count` of the available bytes.
  func take(_ count: Int) -> ArraySlice<UInt8> {
    defer { consumed += count }
    return buffer[consumed..<consumed + count]
  }

  /// Waits for more bytes.
  /// - Throws: `Ended` where none come.
  func readMore() throws(Ended) {
    buffer.removeFirst(consumed)
    consumed = 0
    let start = buffer.count
    buffer.append(contentsOf: repeatElement(0, count: Self.readBytes))
    let count = buffer.withUnsafeMutableBytes { bytes in
      let free = UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
      return retrying { recv(socket.number, free.baseAddress, free.count, 0) }
    }
    buffer.removeLast(Self.readBytes - max(count, 0))
    if count <= 0 { throw Ended() }
  }

  /// Writes all of `bytes`.
  func write(_ bytes: some Sequence<UInt8>) throws(Ended) {
    let bytes = Array(bytes)
    var start = 0
    while start < bytes.count {
      let count = bytes.withUnsafeBytes { bytes in
        let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
        return retrying { send(socket.number, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL)) }
      }
      if count <= 0 { throw Ended() }
      start += count
    }
  }

  private func retrying(_ call: () -> Int) -> Int {
    while true {
      let count = call()
      if count >= 0 || errno != EINTR { return count }
    }
  }
}

// Waiting and ends.
extension ClientStream {
  /// What a wait ended by.
  enum WaitEnd {
    case happened
    case time
    /// The client has closed its connection, or the server is being stopped.
    case closed
  }

  /// Waits until `wake` happens or `seconds` have passed, and watches the client meanwhile.
  func wait(for wake: Wake?, seconds: Double? = nil) -> WaitEnd {
    let end = seconds.map { DispatchTime.now() + $0 }
    var isWatched = true
    while true {
      var polled = [
        pollfd(fd: isWatched ? socket.number : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: wake?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&polled, nfds_t(polled.count), milliseconds(until: end))
      if polled[1].revents != 0 { return .happened }
      if polled[0].revents != 0 {
        if isClosedByClient { return .closed }
        // There is another request behind this one: what comes after it cannot be seen from here.
        isWatched = false
      }
      if count == 0, let end, DispatchTime.now() >= end { return .time }
    }
  }

  private func milliseconds(until end: DispatchTime?) -> Int32 {
    guard let end else { return -1 }
    let now = DispatchTime.now()
    guard end > now else { return 0 }
    return Int32(clamping: (end.uptimeNanoseconds - now.uptimeNanoseconds) / 1_000_000 + 1)
  }

  private var isClosedByClient: Bool {
    var byte: UInt8 = 0
    return retrying {
      recv(socket.number, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
    } <= 0
  }

  /// Ends what is written, and reads on for a moment: closing with unread bytes would reset the
  /// connection before the client has read the answer.
  func linger() {
    _ = shutdown(socket.number, Int32(SHUT_WR))
    var patience = timeval(tv_sec: 1, tv_usec: 0)
    setsockopt(
      socket.number, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    for _ in 0..<Self.lingeringReads {
      _ = take(available.count)
      do { try readMore() } catch { return }
    }
  }

  /// 32 MiB.
  private static let lingeringReads = 512

  /// Ends the connection, before it is closed: a process that was started just when the client came
  /// may have it open too.
  func end() {
    if !isReset { socket.shutDown() }
  }

  /// Makes closing reset the connection instead of ending it.
  func resetOnClose() {
    isReset = true
    var option = Linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      socket.number, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<Linger>.size))
  }

  private typealias Linger = Foundation.linger
}
