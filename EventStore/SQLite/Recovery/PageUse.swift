/// Which pages of a damaged file are what pages of a store are. What was on the others may be missing, and
/// nothing else may tell of it: so that they are counted.
///
/// A page is one of a tree, or holds the rest of a long row, or is free, or is the one that SQLite locks
/// (sqlite.org/fileformat2.html, section 1.2). Takes a byte a page.
struct PageUse {
  private enum Use: UInt8 {
    case unknown, inTree, overflow, free
  }

  private let file: DamagedFile
  private var uses: [Use]

  /// Nothing is known of the pages of `file` yet.
  init(of file: DamagedFile) {
    self.file = file
    uses = [Use](repeating: .unknown, count: file.pages + 1)
  }

  /// Takes note of the copy `page` of page `number`.
  mutating func note(_ page: PageBytes, _ number: Int, _ standing: DamagedFile.Standing) {
    if standing == .current, PageCells.isOfTree(page, number: number) { set(.inTree, number) }
  }

  /// Page `number` holds the rest of a row.
  mutating func noteOverflow(_ number: Int, _ standing: DamagedFile.Standing) {
    if standing == .current { set(.overflow, number) }
  }

  /// How many pages are none of these. The first is not counted: it holds no row of a log.
  /// - Throws: `EventStoreError.system`.
  mutating func unreadable() throws -> Int {
    try noteFreePages()
    // The page with the bytes from 2^30 on.
    set(.free, (1 << 30) / file.pageSize + 1)
    return uses.dropFirst(2).count { $0 == .unknown }
  }

  /// Free pages are in a list of pages that list others; what is on those is of no use to anyone.
  private mutating func noteFreePages() throws {
    var trunk = try file.page(1)?.number(32, size: 4) ?? 0
    while uses.indices.contains(trunk), uses[trunk] != .free, let page = try file.page(trunk) {
      set(.free, trunk)
      let count = min(page.number(4, size: 4) ?? 0, page.count / 4 - 2)
      for index in 0..<max(0, count) { set(.free, page.number(8 + 4 * index, size: 4) ?? 0) }
      trunk = page.number(0, size: 4) ?? 0
    }
  }

  private mutating func set(_ use: Use, _ number: Int) {
    if uses.indices.contains(number) { uses[number] = use }
  }
}
