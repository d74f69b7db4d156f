/// The frames of a -wal file that hold a page as it was written, each for itself: a damaged frame takes
/// no other with it, as it would where SQLite reads (sqlite.org/fileformat2.html, section 4).
///
/// A frame's checksum goes on from that of the frame before it. Here it goes on from what stands in
/// that frame's header, so that damage to a page leaves those behind it provable.
struct WALFrames {
  /// A page in the -wal.
  struct Frame {
    /// The page's number, 1-based.
    var page: Int
    /// Where its bytes begin in the -wal.
    var offset: Int
    /// Whether it ends a transaction.
    var endsTransaction: Bool
  }

  private static let headerSize = 32
  private static let frameHeaderSize = 24
  private static let magics = [0x377f_0682, 0x377f_0683]

  /// The frames of its newest run, oldest first.
  private(set) var frames: [Frame] = []
  /// How many frames of that run are damaged.
  private(set) var damaged = 0
  /// How many frames there are up to the end of the last transaction.
  private(set) var committed = 0
  /// How many transactions have their end there, in frames that are damaged too.
  private(set) var transactions = 0

  /// The page size that the -wal `file` names, nil where that cannot be.
  /// - Throws: `EventStoreError.system`.
  static func pageSize(of file: any ByteSource) throws -> Int? {
    PageBytes(bytes: try file.read(at: 8, count: 4)).number(0, size: 4)
      .flatMap(DamagedFile.pageSize)
  }

  /// Reads the frames of the file `file`, whose pages have `size` bytes.
  ///
  /// - Throws: `EventStoreError.system`.
  /// - Complexity: O(bytes of the -wal), memory for one page and 24 bytes a frame.
  init(_ file: any ByteSource, pageSize size: Int) throws {
    let header = PageBytes(bytes: try file.read(at: 0, count: Self.headerSize))
    guard header.count == Self.headerSize else { return }
    // The last bit of the magic number says how the checksums take their words.
    let isBigEndian = header.byte(3).map { $0 & 1 == 1 } ?? false
    var checksum = Checksum(isBigEndian: isBigEndian)
    checksum.add(header.bytes[..<24])
    if Self.magics.contains(header.number(0, size: 4) ?? 0), checksum.matches(header, at: 24),
      let salts = header.salts(at: 16)
    {
      try readFrames(file, size, salts, checksum)
      return
    }
    // Of a header that is damaged nothing is believed: the frames tell what it said.
    guard let salts = try Self.salts(ofFramesIn: file, size) else { return }
    var other = self
    checksum.take(header, at: 24)
    try readFrames(file, size, salts, checksum)
    checksum = Checksum(isBigEndian: !isBigEndian)
    checksum.take(header, at: 24)
    try other.readFrames(file, size, salts, checksum)
    if other.frames.count > frames.count { self = other }
  }

  /// The salts of the newest run, which begins the file: the first that two frames in a row have.
  private static func salts(ofFramesIn file: any ByteSource, _ size: Int) throws -> Int64? {
    let step = frameHeaderSize + size
    var (first, before): (Int64?, Int64?) = (nil, nil)
    for offset in stride(from: headerSize, through: file.size - step, by: step) {
      let salts = PageBytes(bytes: try file.read(at: offset + 8, count: 8)).salts(at: 0)
      if let salts, salts != 0, salts == before { return salts }
      before = salts
      first = first ?? (salts == 0 ? nil : salts)
    }
    return first
  }

  private mutating func readFrames(
    _ file: any ByteSource, _ size: Int, _ salts: Int64, _ start: Checksum
  ) throws {
    var checksum = start
    var offset = Self.headerSize
    let step = Self.frameHeaderSize + size
    // Frames of no run, or of one before: where another of this run follows, they were of it.
    var others = 0
    while offset <= file.size - step {
      defer { offset += step }
      let frame = PageBytes(bytes: try file.read(at: offset, count: step))
      guard frame.salts(at: 8) == salts else {
        // What is left of a run before, or a header that is damaged.
        checksum.take(frame, at: 16)
        others += 1
        continue
      }
      (damaged, others) = (damaged + others, 0)
      checksum.add(frame.bytes[..<8])
      checksum.add(frame.bytes[Self.frameHeaderSize...])
      let isWhole = checksum.matches(frame, at: 16)
      checksum.take(frame, at: 16)
      let ends = frame.number(4, size: 4) != 0
      if ends { transactions += 1 }
      guard isWhole, let page = frame.number(0, size: 4), page > 0 else {
        damaged += 1
        continue
      }
      frames.append(
        Frame(page: page, offset: offset + Self.frameHeaderSize, endsTransaction: ends))
      if ends { committed = frames.count }
    }
  }
}

extension PageBytes {
  /// The two salts at `offset`, by which the frames of one run are told.
  fileprivate func salts(at offset: Int) -> Int64? { signed(offset, size: 8) }
}

/// The checksum of a -wal file: two sums over its words, each of which takes in the other
/// (sqlite.org/fileformat2.html, section 4.2).
private struct Checksum {
  let isBigEndian: Bool
  private var one: UInt32 = 0
  private var two: UInt32 = 0

  init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

  /// Goes on over `bytes`, a multiple of 8 of them.
  mutating func add(_ bytes: ArraySlice<UInt8>) {
    bytes.withUnsafeBytes { bytes in
      var offset = 0
      while offset <= bytes.count - 8 {
        let first = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        let second = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
        one &+= (isBigEndian ? first.bigEndian : first.littleEndian) &+ two
        two &+= (isBigEndian ? second.bigEndian : second.littleEndian) &+ one
        offset += 8
      }
    }
  }

  /// Whether it is the one that stands at `offset`.
  func matches(_ bytes: PageBytes, at offset: Int) -> Bool {
    bytes.number(offset, size: 4) == Int(one) && bytes.number(offset + 4, size: 4) == Int(two)
  }

  /// Goes on from what stands at `offset`.
  mutating func take(_ bytes: PageBytes, at offset: Int) {
    one = UInt32(truncatingIfNeeded: bytes.number(offset, size: 4) ?? 0)
    two = UInt32(truncatingIfNeeded: bytes.number(offset + 4, size: 4) ?? 0)
  }
}
