import EventStoreCore
import EventStoreTesting
import Foundation

@testable import EventStoreSQLite

/// A small store that is damaged again and again, with what depends on which piece of it.
final class Damage: Sendable {
  /// A piece of one of its files, a page or a frame of the -wal.
  struct Piece: Hashable {
    var suffix: String
    var number: Int
  }

  let original: SmallStore
  /// The events that are gone with a piece.
  private let dependents: [Piece: Set<RecoveryJudgement.EventPlace>]

  init(_ original: SmallStore) throws {
    self.original = original
    var dependents: [Piece: Set<RecoveryJudgement.EventPlace>] = [:]
    let folder = try TemporaryFolder()
    for suffix in ["", "-wal"] {
      for number in 0..<Self.pieces(of: original.files[suffix] ?? [], suffix) {
        let piece = Piece(suffix: suffix, number: number)
        var store = original
        store.zero(piece)
        try store.write(to: folder)
        dependents[piece] = try Set(original.content.ownEvents).subtracting(
          Self.eventsFound(in: folder, original.content))
      }
    }
    self.dependents = dependents
  }

  /// The events that lie on no page but whole ones when `pieces` are damaged.
  func intact(without pieces: Set<Piece>) -> Set<RecoveryJudgement.EventPlace> {
    pieces.reduce(Set(original.content.ownEvents)) { $0.subtracting(dependents[$1] ?? []) }
  }

  /// How many pieces hold the event at `place`.
  func pieces(holding place: RecoveryJudgement.EventPlace) -> Int {
    dependents.values.count { $0.contains(place) }
  }

  /// The pages of the file that hold events, from 0 on.
  var pagesWithEvents: [Int] {
    dependents.filter { $0.key.suffix.isEmpty && !$0.value.isEmpty }.keys.map(\.number).sorted()
  }

  /// The pages on which events lie that also lie on others.
  var piecesWithLongEvents: Set<Int> {
    Set(
      dependents.filter { $0.value.contains { pieces(holding: $0) > 1 } }.keys.map(\.number))
  }

  /// How many pieces there are, and how many of them hold events.
  var pieceCounts: (all: Int, withEvents: Int) {
    (dependents.count, dependents.values.count { !$0.isEmpty })
  }

  /// The piece that holds the byte at `offset`.
  static func piece(_ suffix: String, at offset: Int) -> Piece {
    guard suffix == "-wal" else {
      return Piece(suffix: suffix, number: offset / SmallStore.pageSize)
    }
    return Piece(suffix: suffix, number: offset < 32 ? 0 : 1 + (offset - 32) / frameSize)
  }

  fileprivate static let frameSize = SmallStore.pageSize + 24

  private static func pieces(of bytes: [UInt8], _ suffix: String) -> Int {
    bytes.isEmpty ? 0 : piece(suffix, at: bytes.count - 1).number + 1
  }

  private static func eventsFound(
    in folder: TemporaryFolder, _ content: SmallStore.Content
  ) throws -> Set<RecoveryJudgement.EventPlace> {
    let rows = try FoundRows(name: "found")
    try rows.fill(from: DamagedFile(folder.file(), name: "damaged"))
    let selects = try FoundSelects(rows)
    var found: Set<RecoveryJudgement.EventPlace> = []
    for log in content.logs {
      try FoundLog(of: log.info.id, in: selects).events(after: .zero, through: .max) { row in
        let original = log.events.first { $0.header.seq == row.header.seq }
        if original?.header == row.header, original?.payload == Array(row.payload) {
          found.insert(.init(session: log.info.id.rawValue, seq: row.header.seq))
        }
      }
    }
    return found
  }
}

extension SmallStore {
  /// Overwrites a piece with zeros.
  mutating func zero(_ piece: Damage.Piece) {
    guard let bytes = files[piece.suffix] else { return }
    let range =
      switch (piece.suffix, piece.number) {
      case ("-wal", 0): 0..<32
      case ("-wal", let number):
        (32 + (number - 1) * Damage.frameSize)..<(32 + number * Damage.frameSize)
      case (_, let number): (number * Self.pageSize)..<((number + 1) * Self.pageSize)
      }
    let inside = range.clamped(to: 0..<bytes.count)
    files[piece.suffix]?.replaceSubrange(inside, with: [UInt8](repeating: 0, count: inside.count))
  }

  /// Flips bit `bit` of a file.
  mutating func flip(_ bit: Int, of suffix: String) {
    files[suffix]?[bit / 8] ^= 1 << UInt8(bit % 8)
  }
}
