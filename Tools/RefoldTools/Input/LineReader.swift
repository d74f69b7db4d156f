import Foundation

/// One line of input.
enum InputLine {
  /// The bytes of a line, without its line feed.
  case line(number: Int, bytes: [UInt8])
  /// A line over the limit; its bytes went to the reader's `overlong`.
  case tooLong(number: Int)
}

/// Lines from a file descriptor, read in large blocks, each given as soon as it is whole.
///
/// Memory is bounded by the longest line allowed, not by the longest line there is.
struct LineReader {
  /// The longest line, in bytes: 64 MiB.
  static let lineLimit = 64 << 20
  private static let blockSize = 1 << 18

  /// Gets the bytes of a line that is too long, piece by piece, the line feed last.
  var overlong: (ArraySlice<UInt8>) throws -> Void = { _ in }
  /// The number of the last line given, 1-based.
  private(set) var lineNumber = 0

  private let descriptor: Int32
  private let name: String
  private let wakeUp: Int32?
  private let limit: Int
  private var block: [UInt8]
  private var position = 0
  private var end = 0
  private var partial: [UInt8] = []
  private var isAtEnd = false

  /// A reader of `descriptor`, which messages call `name`.
  ///
  /// - Parameter wakeUp: a descriptor that ends the input once it can be read.
  init(_ descriptor: Int32, name: String, wakeUp: Int32? = nil, limit: Int = lineLimit) {
    self.descriptor = descriptor
    self.name = name
    self.wakeUp = wakeUp
    self.limit = limit
    block = Array(repeating: 0, count: Self.blockSize)
  }

  /// The next line; nil at the end of input, or once `wakeUp` says so.
  ///
  /// - Throws: `Failure` when reading fails; what `overlong` throws.
  mutating func next() throws -> InputLine? {
    if !partial.isEmpty { partial.removeAll(keepingCapacity: partial.capacity <= Self.blockSize) }
    while true {
      if position == end {
        guard try fill() else { return endOfInput() }
      }
      let feed = block.withUnsafeBytes { Self.firstLineFeed(in: $0, position..<end) }
      let piece = block[position..<(feed ?? end)]
      if partial.count + piece.count > limit { return try skipOverlong() }
      position = (feed ?? end) + (feed == nil ? 0 : 1)
      if feed != nil, partial.isEmpty { return line(Array(piece)) }
      partial.append(contentsOf: piece)
      if feed != nil { return line(partial) }
    }
  }

  private mutating func line(_ bytes: [UInt8]) -> InputLine {
    lineNumber += 1
    return .line(number: lineNumber, bytes: bytes)
  }

  private mutating func endOfInput() -> InputLine? {
    guard isAtEnd, !partial.isEmpty else { return nil }
    return line(partial)
  }

  private mutating func skipOverlong() throws -> InputLine {
    lineNumber += 1
    try overlong(partial[...])
    partial = []
    while true {
      if position == end {
        guard try fill() else { break }
      }
      let feed = block.withUnsafeBytes { Self.firstLineFeed(in: $0, position..<end) }
      let next = (feed ?? end - 1) + 1
      try overlong(block[position..<next])
      position = next
      if feed != nil { return .tooLong(number: lineNumber) }
    }
    try overlong([UInt8(ascii: "\n")])
    return .tooLong(number: lineNumber)
  }

  private static func firstLineFeed(in block: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int? {
    guard let base = block.baseAddress else { return nil }
    let found = memchr(base + range.lowerBound, Int32(UInt8(ascii: "\n")), range.count)
    return found.map { base.distance(to: UnsafeRawPointer($0)) }
  }

  /// Reads the next block.
  /// - Returns: false at the end of input.
  private mutating func fill() throws -> Bool {
    while !isAtEnd {
      if let wakeUp, try !waitForInput(or: wakeUp) { return false }
      let count = block.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        (position, end) = (0, count)
        return true
      }
      if count == 0 {
        isAtEnd = true
      } else if errno != EINTR && errno != EAGAIN {
        throw Failure.system("read", name)
      }
    }
    return false
  }

  /// Waits until there is input.
  /// - Returns: false once `wakeUp` can be read.
  private func waitForInput(or wakeUp: Int32) throws -> Bool {
    var sources = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&sources, 2, -1) < 0 {
      if errno != EINTR { throw Failure.system("wait for", name) }
    }
    return sources[1].revents == 0
  }
}
