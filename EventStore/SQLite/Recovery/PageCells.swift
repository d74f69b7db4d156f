import EventStoreCore

/// The rows on a page, whatever table it belongs to: what has the shape of one is told by what is in it
/// (sqlite.org/fileformat2.html, section 1.6).
struct PageCells {
  /// A page of a b-tree that holds records.
  private enum Kind: UInt8 {
    case indexInterior = 2
    case indexLeaf = 10
    case tableLeaf = 13
  }

  /// The largest payload that a store takes, and room for the rest of its row: a damaged length costs
  /// no memory.
  private static let largestRow = (1 << 29) + (1 << 18)

  private let file: DamagedFile
  private let page: PageBytes
  private let kind: Kind
  private let header: Int
  private let count: Int

  /// nil where page `number` says of itself that it holds no records.
  init?(_ page: PageBytes, number: Int, of file: DamagedFile) {
    // Before the first page's own header stands the file's, unless another page lies in its place.
    header = number == 1 && page.bytes.starts(with: "SQLite format 3".utf8) ? 100 : 0
    guard let kind = page.byte(header).flatMap(Kind.init(rawValue:)),
      let count = page.number(header + 3, size: 2)
    else { return nil }
    (self.file, self.page, self.kind, self.count) = (file, page, kind, count)
  }

  /// Whether `page` begins as one that holds rows, all of which lie in it.
  static func looksRight(_ page: PageBytes) -> Bool {
    guard let kind = page.byte(0).flatMap(Kind.init(rawValue:)),
      let count = page.number(3, size: 2),
      let content = page.number(5, size: 2)
    else { return false }
    let pointers = kind == .indexInterior ? 12 : 8
    let end = pointers + 2 * count
    guard count > 0, end <= content, content < page.count else { return false }
    let cells = (0..<count).map { page.number(pointers + 2 * $0, size: 2) ?? 0 }
    // Rows are put in from the end of a page on: half of a larger page would be empty.
    return cells.allSatisfy { $0 >= content && $0 < page.count }
      && cells.contains { $0 > page.count / 2 }
  }

  /// Whether `page` looks like one of a tree, of rows or of what leads to them.
  static func isOfTree(_ page: PageBytes, number: Int) -> Bool {
    let header = number == 1 ? 100 : 0
    guard let kind = page.byte(header), [2, 5, 10, 13].contains(kind),
      let count = page.number(header + 3, size: 2), let start = page.number(header + 5, size: 2)
    else { return false }
    // 0 stands for 65,536.
    let content = start == 0 ? 65536 : start
    return header + (kind < 10 ? 12 : 8) + 2 * count <= content && content <= page.count
  }

  /// Hands each row that is whole to `body`, with its row id where the table has them, and each page that
  /// holds the rest of one, whole or not, to `overflow`.
  /// - Throws: `EventStoreError.system`; what `body` throws.
  func visit(
    _ body: (TableRecord, _ id: Int64?) throws -> Void, overflow: (_ number: Int) -> Void
  ) throws {
    let pointers = header + (kind == .indexInterior ? 12 : 8)
    for index in 0..<min(count, page.count / 2) {
      guard let cell = page.number(pointers + 2 * index, size: 2), cell >= pointers else {
        continue
      }
      guard let (payload, id) = try payload(of: cell, overflow), let record = TableRecord(payload)
      else {
        continue
      }
      try body(record, id)
    }
  }

  private func payload(
    of cell: Int, _ overflow: (Int) -> Void
  ) throws -> (payload: [UInt8], id: Int64?)? {
    let start = kind == .indexInterior ? cell + 4 : cell
    guard let (length, afterLength) = page.varint(start), length >= 1,
      length <= Int64(min(Self.largestRow, file.byteCount))
    else { return nil }
    guard kind == .tableLeaf else {
      return try payload(
        Int(length), at: afterLength, most: (page.count - 12) * 64 / 255 - 23, overflow
      )
      .map { ($0, nil) }
    }
    guard let (id, afterID) = page.varint(afterLength) else { return nil }
    return try payload(Int(length), at: afterID, most: page.count - 35, overflow).map { ($0, id) }
  }

  /// The `length` bytes that begin at `offset`, at most `most` of them on the page itself.
  private func payload(
    _ length: Int, at offset: Int, most: Int, _ overflow: (Int) -> Void
  ) throws -> [UInt8]? {
    if length <= most {
      return offset <= page.count - length ? Array(page.bytes[offset..<offset + length]) : nil
    }
    let least = (page.count - 12) * 32 / 255 - 23
    let rest = least + (length - least) % (page.count - 4)
    let local = rest <= most ? rest : least
    guard offset <= page.count - local - 4, let next = page.number(offset + local, size: 4) else {
      return nil
    }
    var payload = Array(page.bytes[offset..<offset + local])
    return try appendOverflow(from: next, until: length, to: &payload, overflow) ? payload : nil
  }

  /// Follows the pages that hold the rest of a long row. Each adds to it, so that a chain in a circle
  /// ends too.
  private func appendOverflow(
    from first: Int, until length: Int, to payload: inout [UInt8], _ note: (Int) -> Void
  ) throws -> Bool {
    var next = first
    while payload.count < length {
      guard next > 0, let overflow = try file.page(next),
        let following = overflow.number(0, size: 4)
      else { return false }
      note(next)
      payload += overflow.bytes[4..<min(overflow.count, 4 + length - payload.count)]
      next = following
    }
    return true
  }
}
