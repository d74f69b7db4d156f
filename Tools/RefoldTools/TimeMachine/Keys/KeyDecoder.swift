/// Turns the bytes of a terminal into keys, whatever pieces they come in.
///
/// An escape byte alone may be the Escape key or the begin of a sequence: it is kept back until more
/// comes or `flush()` says that nothing will.
struct KeyDecoder {
  /// The longest text that one paste gives, in bytes; what is beyond it is dropped.
  static let pasteLimit = 1 << 16
  /// No sequence of a keyboard is longer.
  private static let sequenceLimit = 32

  private var bytes: [UInt8] = []
  private var pasted: [UInt8]?
  /// Whether what comes is the rest of a sequence that was too long.
  private var isGivenUp = false

  /// Whether bytes are kept back.
  var isWaiting: Bool { (!bytes.isEmpty || isGivenUp) && pasted == nil }

  /// The keys that `new` bytes complete.
  mutating func keys(_ new: some Sequence<UInt8>) -> [Key] {
    bytes.append(contentsOf: new)
    var (keys, start) = ([Key](), 0)
    while start < bytes.count {
      if pasted != nil {
        guard let key = takePaste(&start) else { break }
        keys.append(key)
        continue
      }
      if isGivenUp {
        start += bytes[start...].prefix { (0x20...0x3F).contains($0) }.count
        isGivenUp = start == bytes.count
        continue
      }
      guard let (key, length) = key(at: start) else { break }
      start += length
      if let key { keys.append(key) }
    }
    bytes.removeFirst(start)
    return keys
  }

  /// The keys of what was kept back, when nothing followed.
  mutating func flush() -> [Key] {
    isGivenUp = false
    guard isWaiting else { return [] }
    let rest = bytes
    bytes = []
    guard rest[0] == escape else { return [.other] }
    if rest.count == 1 { return [.escape] }
    // Escape, and then a key like "[" by itself.
    return [.escape] + keys(rest.dropFirst())
  }

  private let escape: UInt8 = 0x1B
  private static let pasteEnd = Array("\u{1B}[201~".utf8)
}

extension KeyDecoder {
  /// The key that begins at `start`, and its bytes; nil where they have not all come. A key of nil
  /// is none: the begin of a paste.
  private mutating func key(at start: Int) -> (key: Key?, length: Int)? {
    let byte = bytes[start]
    switch byte {
    case escape: return escaped(at: start)
    case 0x0D: return (.enter, 1)
    case 0x09: return (.tab, 1)
    case 0x7F, 0x08: return (.backspace, 1)
    case 0x00: return (.control(" "), 1)
    case 0x01...0x1A: return (.control(Character(UnicodeScalar(byte + 0x60))), 1)
    case 0x1C...0x1F: return (.other, 1)
    case 0x20..<0x7F: return (.character(Character(UnicodeScalar(byte))), 1)
    default: return character(at: start)
    }
  }

  /// A character of several bytes; what is no UTF-8 is one unknown key a byte.
  private func character(at start: Int) -> (key: Key?, length: Int)? {
    let length =
      switch bytes[start] {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 1
      }
    guard length > 1 else { return (.other, 1) }
    let present = bytes[start...].prefix(length)
    guard present.dropFirst().allSatisfy({ $0 & 0xC0 == 0x80 }) else { return (.other, 1) }
    guard present.count == length else { return nil }
    let text = String(decoding: present, as: UTF8.self)
    guard let character = text.first, character != "\u{FFFD}" else { return (.other, length) }
    return (.character(character), length)
  }

  private mutating func escaped(at start: Int) -> (key: Key?, length: Int)? {
    guard start + 1 < bytes.count else { return nil }
    switch bytes[start + 1] {
    case UInt8(ascii: "["): return controlSequence(at: start)
    case UInt8(ascii: "O"):
      guard start + 2 < bytes.count else { return nil }
      return (Self.letterKey(bytes[start + 2]), 3)
    case escape: return (.escape, 1)
    // Alt and a key: the key alone means nothing that was asked for.
    default: return (.other, 2)
    }
  }

  /// `ESC [ parameters final`.
  private mutating func controlSequence(at start: Int) -> (key: Key?, length: Int)? {
    var end = start + 2
    let limit = start + Self.sequenceLimit
    while end < min(bytes.count, limit), (0x20...0x3F).contains(bytes[end]) { end += 1 }
    // Too long is too long, whether the rest has come or not.
    if end == limit {
      isGivenUp = true
      return (.other, Self.sequenceLimit)
    }
    guard end < bytes.count else { return nil }
    let length = end + 1 - start
    let parameters = String(decoding: bytes[start + 2..<end], as: UTF8.self)
    let final = bytes[end]
    guard (0x40...0x7E).contains(final) else { return (.other, end - start) }
    // The Linux console's function keys: ESC [ [ A.
    if final == UInt8(ascii: "["), parameters.isEmpty {
      return end + 1 < bytes.count ? (.other, length + 1) : nil
    }
    if final == UInt8(ascii: "~") {
      if parameters == "200" {
        pasted = []
        return (nil, length)
      }
      return (Self.numberedKey(parameters), length)
    }
    return (Self.letterKey(final), length)
  }

  private static func letterKey(_ final: UInt8) -> Key {
    switch UnicodeScalar(final) {
    case "A": .up
    case "B": .down
    case "C": .right
    case "D": .left
    case "H": .home
    case "F": .end
    case "M": .enter
    case "Z": .backTab
    default: .other
    }
  }

  private static func numberedKey(_ parameters: String) -> Key {
    switch parameters.prefix(while: { $0 != ";" }) {
    case "1", "7": .home
    case "4", "8": .end
    case "3": .delete
    case "5": .pageUp
    case "6": .pageDown
    default: .other
    }
  }

  /// Takes pasted bytes; the key once the paste has ended.
  private mutating func takePaste(_ start: inout Int) -> Key? {
    let end = Self.pasteEnd
    var place = start
    while place < bytes.count {
      let rest = bytes[place...]
      if rest.starts(with: end) {
        let text = String(decoding: pasted ?? [], as: UTF8.self)
        pasted = nil
        start = place + end.count
        return .paste(text)
      }
      // The begin of the end: the rest of it has still to come.
      if end.starts(with: rest) { break }
      if pasted?.count ?? 0 < Self.pasteLimit { pasted?.append(bytes[place]) }
      place += 1
    }
    start = place
    return nil
  }
}
