import EventStoreCore

/// The parts of a page that tell how a value went on: each a keyframe, the value whole, and a line
/// for each position at which it changed, the patch from the line before.
///
///     0 {"value":0}
///     2 [["=","/value",2]]
///
/// Any value is some lines away from the keyframe of its part, few enough that a browser folds them
/// while a slider moves.
struct PageHistory {
  /// How many bytes the parts have so far.
  private(set) var byteCount = 0
  private let name: String
  private var part: [UInt8] = []
  private var current: EncodedState
  private var keyframeBytes = 0
  private var patchCount = 0

  /// Patches in a part: at least, however small the value is, and at most, however large.
  private static let patchesInPart = 256...4096
  /// Bytes of value for each further patch of a part.
  private static let bytesForOnePatch = 64
  /// Bytes of patches that a part has room for, however small the value is.
  private static let leastPatchBytes = 32 << 10

  /// A history whose parts are called `name`, of a value that has these bytes at `seq`.
  init(_ name: String, of bytes: [UInt8], at seq: Seq) throws {
    self.name = name
    current = try EncodedState(bytes)
    begin(at: seq)
  }

  /// Notes what the value is at `seq`, and hands a part that is full to `write`.
  mutating func note(_ bytes: [UInt8], at seq: Seq, _ write: ([UInt8]) -> Void) throws {
    if bytes == current.bytes { return }
    let next = try EncodedState(bytes)
    let patch = StatePatch.bytes(from: current, to: next)
    current = next
    if isFull {
      finish(write)
      begin(at: seq)
    } else {
      append(patch, at: seq)
      patchCount += 1
    }
  }

  /// Hands what is left to `write`.
  mutating func finish(_ write: ([UInt8]) -> Void) {
    part.append(contentsOf: "</script>\n".utf8)
    write(part)
    byteCount += part.count
    part = []
  }

  /// The bytes so far, the part that is not full included.
  var bytesSoFar: Int { byteCount + part.count }

  private var isFull: Bool {
    let most = min(
      max(keyframeBytes / Self.bytesForOnePatch, Self.patchesInPart.lowerBound),
      Self.patchesInPart.upperBound)
    return patchCount >= most
      || part.count - keyframeBytes > max(keyframeBytes, Self.leastPatchBytes)
  }

  private mutating func begin(at seq: Seq) {
    part = Array("<script type=\"text/plain\" data-part=\"\(name)\">\n".utf8)
    append(current.bytes, at: seq)
    keyframeBytes = part.count
    patchCount = 0
  }

  private mutating func append(_ value: [UInt8], at seq: Seq) {
    part.append(contentsOf: "\(seq) ".utf8)
    PageText.append(value, to: &part)
    part.append(UInt8(ascii: "\n"))
  }
}
