import EventStoreCore
import Refold

/// Writes a session's log as a file: a line that says what it is, a line an event, and a line with
/// the digest of it all, by which a reader knows that nothing is missing.
///
///     {"refold":"log","format":1,"session":"s1","reactor":"counter","created":"2026-…Z"}
///     {"seq":1,"kind":"action","cause":0,"at":"2026-…Z","schema":1,"payload":{"increase":{"by":2}}}
///     {"seq":2,"kind":"mutation","cause":1,"at":"2026-…Z","payload":{"add":{"_0":2}}}
///     {"events":2,"digest":"9f86d0…"}
///
/// `schema`, the reactor's schemaVersion, stands where it differs from the event before; `id` where
/// an idempotent delivery brought the action. A fork is written with its whole past.
struct LogFileWriter {
  private let info: SessionInfo
  private let store: any EventStore
  private var page = EventBatch()
  private var schemas: SchemaVersions

  init(_ info: SessionInfo, in store: any EventStore) {
    self.info = info
    self.store = store
    schemas = SchemaVersions(info, in: store)
  }

  /// Hands the lines up to and including the event `last` to `write`.
  ///
  /// - Throws: `EventStoreError`, and what `write` throws.
  /// - Complexity: O(k) for k events, in constant memory.
  mutating func write(through last: Seq, _ write: ([UInt8], _ events: Int) throws -> Void) throws {
    try write(header, 0)
    var (reached, schema): (Seq, Int?) = (.zero, nil)
    while reached < last {
      try store.read(info.id, after: reached, through: last, into: &page)
      guard let end = page.headers.last?.seq else { break }
      var lines: [UInt8] = []
      for index in page.headers.indices {
        let version = try schemas.version(at: page.headers[index].seq)
        append(index, schema: version == schema ? nil : version, to: &lines)
        schema = version
      }
      try write(lines, page.count)
      reached = end
    }
    var trailer = JSONLine()
    trailer.member("events", last)
    trailer.member("digest", try store.digest(of: info.id, at: last).description)
    try write(trailer.finished(), 0)
  }

  private var header: [UInt8] {
    var line = JSONLine()
    line.member("refold", "log")
    line.member("format", LogFileReader.format)
    line.member("session", info.name.rawValue)
    line.member("reactor", info.reactor)
    line.member("created", info.createdAt)
    return line.finished()
  }

  private func append(_ index: Int, schema: Int?, to lines: inout [UInt8]) {
    let header = page.headers[index]
    JSONLine.append(to: &lines) { line in
      line.member("seq", header.seq)
      line.member("kind", header.kind.name)
      line.member("cause", header.cause)
      line.member("at", header.recordedAt)
      if let schema { line.member("schema", schema) }
      if let delivery = page.delivery(at: index) { line.member("id", delivery.id) }
      page.withPayload(at: index) { line.member("payload", json: $0) }
    }
  }
}

/// The schema version of each event of a session, asked in ascending order.
private struct SchemaVersions {
  private let info: SessionInfo
  private let store: any EventStore
  private var commits: ArraySlice<Commit> = []

  init(_ info: SessionInfo, in store: any EventStore) {
    self.info = info
    self.store = store
  }

  mutating func version(at seq: Seq) throws -> Int {
    while let first = commits.first, first.lastSeq < seq { commits.removeFirst() }
    if commits.isEmpty {
      let before = seq.previous
      commits = try store.commits(of: info.id, after: before, limit: 1000)[...]
    }
    return commits.first?.schemaVersion ?? 1
  }
}
