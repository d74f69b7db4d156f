import EventStoreCore

/// How many pages are left of a file that was cut short.
struct MissingPages: CustomStringConvertible {
  let present: Int
  let claimed: Int

  var description: String { "the file has \(present) of the \(claimed) pages that it says it has" }
}

/// The pages of a store's file and of its -wal, read without SQLite, which gives up where a page that
/// leads to others is damaged.
///
/// Rows of a log never change, so an older copy of a page is as good as the newest for what it holds:
/// every copy is looked at, the newest first.
struct DamagedFile {
  /// Where a page's copy comes from; the better the smaller.
  enum Standing: Int, CaseIterable {
    /// What the store says now.
    case current
    /// What it said before: a newer copy is in the -wal.
    case superseded
    /// Of a transaction whose end is not to be found: what it holds counts only if it proves itself.
    case unfinished
  }

  /// How many bytes a page can have, first what SQLite gives a new file.
  private static let pageSizes = [4096, 512, 1024, 2048, 8192, 16384, 32768, 65536]
  /// Pages that are looked at to find out.
  private static let pagesTried = 256

  let pageSize: Int
  /// How many pages the file has, a last one that is cut included.
  let filePages: Int
  /// How many pages there are, in the file or its -wal.
  private(set) var pages: Int
  /// How many bytes there are in all copies of pages: no row has more.
  var byteCount: Int { (filePages + (wal?.frames.count ?? 0)) * pageSize }
  /// How many frames of the -wal are damaged.
  var damagedFrames: Int { wal?.damaged ?? 0 }

  /// How many transactions have their end in the -wal.
  var walTransactions: Int { wal?.transactions ?? 0 }

  /// The pages that are missing at its end: of how many that it says it has there are how many. nil
  /// where none are.
  /// - Throws: `EventStoreError`.
  func missingPages() throws -> MissingPages? {
    // Where the header is damaged, so is the number.
    guard let first = try page(1), first.bytes.starts(with: Self.magic),
      let claimed = first.number(28, size: 4), claimed > pages
    else { return nil }
    return MissingPages(present: pages, claimed: claimed)
  }

  private static let magic = Array("SQLite format 3\0".utf8)

  private let file: any ByteSource
  private let walFile: (any ByteSource)?
  private let wal: WALFrames?
  /// The newest copy in the -wal of each page that is there.
  private var newest: [Int: Int] = [:]

  /// Opens the file at `path`, which messages call `name`, and its -wal.
  /// - Throws: `EventStoreError.noSuchStore`, `.system`.
  init(_ path: String, name: String) throws {
    guard let file = try RawFile(path, name: name) else {
      throw EventStoreError.noSuchStore(path: name)
    }
    try self.init(file, wal: RawFile(path + "-wal", name: name + "-wal"))
  }

  /// The pages of `file` and of `walFile`, its -wal.
  /// - Throws: `EventStoreError.system`.
  init(_ file: any ByteSource, wal walFile: (any ByteSource)?) throws {
    (self.file, self.walFile) = (file, walFile)
    let header = PageBytes(bytes: try file.read(at: 0, count: 100))
    let named = header.number(16, size: 2).flatMap { Self.pageSize($0 == 1 ? 65536 : $0) }
    let size =
      try named ?? walFile.flatMap { try WALFrames.pageSize(of: $0) }
      ?? Self.likelyPageSize(of: file)
    wal = try walFile.map { try WALFrames($0, pageSize: size) }
    pageSize = size
    filePages = (file.size + pageSize - 1) / pageSize
    pages = filePages
    if let wal {
      for (index, frame) in wal.frames.prefix(wal.committed).enumerated() {
        newest[frame.page] = index
        pages = max(pages, frame.page)
      }
    }
  }

  /// `number`, unless no page can have so many bytes.
  static func pageSize(_ number: Int) -> Int? {
    (512...65536).contains(number) && number.nonzeroBitCount == 1 ? number : nil
  }

  /// The page size by which most pages begin as those of a table do.
  private static func likelyPageSize(of file: any ByteSource) throws -> Int {
    let scores = try pageSizes.map { size in
      try (1...pagesTried).reduce(0) { score, number in
        let page = PageBytes(bytes: try file.read(at: number * size, count: size))
        return score + (PageCells.looksRight(page) ? size : 0)
      }
    }
    let best = scores.max() ?? 0
    return zip(pageSizes, scores).first { $0.1 == best }?.0 ?? pageSizes[0]
  }

  /// The newest copy of page `number`, nil where there is none.
  /// - Throws: `EventStoreError.system`.
  func page(_ number: Int) throws -> PageBytes? {
    if let index = newest[number] { return try frame(index) }
    guard (1...max(1, filePages)).contains(number), filePages > 0 else { return nil }
    return whole(try file.read(at: (number - 1) * pageSize, count: pageSize))
  }

  /// Hands every copy of every page to `body`, the current ones first, then older ones from the newest
  /// to the oldest.
  /// - Throws: `EventStoreError.system`; what `body` throws.
  func forEachPage(_ body: (PageBytes, _ number: Int, Standing) throws -> Void) throws {
    let frames = wal?.frames ?? []
    let committed = wal?.committed ?? 0
    for (index, frame) in frames.prefix(committed).enumerated() where newest[frame.page] == index {
      if let page = try self.frame(index) { try body(page, frame.page, .current) }
    }
    for number in 1..<(filePages + 1) where newest[number] == nil {
      if let page = try page(number) { try body(page, number, .current) }
    }
    for index in (0..<committed).reversed() where newest[frames[index].page] != index {
      if let page = try frame(index) { try body(page, frames[index].page, .superseded) }
    }
    for number in newest.keys.sorted() where number <= filePages {
      let bytes = try file.read(at: (number - 1) * pageSize, count: pageSize)
      try body(whole(bytes), number, .superseded)
    }
    // Where a frame is damaged, it may be the one that ended the transaction.
    let standing = damagedFrames == 0 ? Standing.unfinished : .superseded
    for index in committed..<frames.count {
      if let page = try frame(index) { try body(page, frames[index].page, standing) }
    }
  }

  private func frame(_ index: Int) throws -> PageBytes? {
    guard let wal, let walFile, wal.frames.indices.contains(index) else { return nil }
    return whole(try walFile.read(at: wal.frames[index].offset, count: pageSize))
  }

  /// A page that was cut has zeros at its end.
  private func whole(_ bytes: [UInt8]) -> PageBytes {
    PageBytes(bytes: bytes + [UInt8](repeating: 0, count: pageSize - bytes.count))
  }
}
