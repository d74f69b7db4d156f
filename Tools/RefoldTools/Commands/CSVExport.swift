import EventStoreCore
import JSONTree
import Refold

/// `export --as csv`: a row an event, and behind it the fields of the state after it that were asked
/// for. In the memory of one state.
struct CSVExport {
  private let info: SessionInfo
  private let store: any EventStore
  private let columns: [JSONPointer]

  /// - Parameter columns: JSON Pointers; one text may name several, with commas between them.
  ///
  /// - Throws: `Failure` with `.usage` for a text that names none.
  static func columns(_ texts: [String]) throws -> [JSONPointer] {
    try texts.flatMap { text in
      // A comma in a key is told from one between pointers by the slash that follows.
      try text.split(separator: ",/", omittingEmptySubsequences: false).enumerated().map {
        do throws(JSONError) {
          return try JSONPointer($0.offset == 0 ? String($0.element) : "/" + $0.element)
        } catch {
          throw Failure(.usage, "--columns: \(error)")
        }
      }
    }
  }

  init(_ info: SessionInfo, columns: [JSONPointer], in store: any EventStore) {
    (self.info, self.columns, self.store) = (info, columns, store)
  }

  /// Hands `write` what appends the header, and then what appends the row of each event up to `last`.
  /// `reactor` is needed where there are columns.
  func write<R: Reactor>(
    _ reactor: R, through last: Seq, _ write: ((inout [UInt8]) -> Void) throws -> Void
  ) throws {
    try write(appendHeader)
    guard last > .zero else { return }
    var cells: [JSONValue?] = try cells(of: Fold(reactor, session: info.name.rawValue))
    let machine = TimeMachine(reactor, info, in: store)
    try machine.forEachStep(in: Seq(1)...last) { header, payload, fold in
      // Nothing else changes the state.
      if header.kind == .mutation { cells = try self.cells(of: fold) }
      try write { append(header, payload, cells, to: &$0) }
    }
  }

  /// As above, without columns: needs no reactor.
  func write(
    through last: Seq, _ write: ((inout [UInt8]) -> Void) throws -> Void
  ) throws {
    try write(appendHeader)
    try store.forEachEvent(of: info.id, through: last) { header, payload in
      try write { append(header, payload, [], to: &$0) }
    }
  }

  private func appendHeader(to rows: inout [UInt8]) {
    CSVRow.append(to: &rows) { row in
      for name in ["seq", "at", "kind", "cause", "payload"] { row.add(name.utf8) }
      for column in columns { row.add("\(column)".utf8) }
    }
  }

  private func append(
    _ header: EventHeader, _ payload: RawSpan, _ cells: [JSONValue?], to rows: inout [UInt8]
  ) {
    CSVRow.append(to: &rows) { row in
      row.add(Int(header.seq.rawValue))
      row.add(header.recordedAt)
      row.add(header.kind.name.utf8)
      row.add(Int(header.cause.rawValue))
      payload.withUnsafeBytes { row.add($0) }
      for cell in cells { row.add(value: cell) }
    }
  }

  private func cells<R: Reactor>(of fold: Fold<R>) throws -> [JSONValue?] {
    try columns.map { try fold.encodedState(at: $0).map { try JSONValue(parsing: $0) } }
  }
}
