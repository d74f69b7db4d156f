import EventStoreCore
import EventStoreTesting
import Foundation
import Synchronization

@testable import EventStoreSQLite

/// What became of a store that was damaged. There is no other way than these.
enum Judgement: String, CaseIterable {
  /// Opening it or `verify` said so.
  case detected
  /// Everything is as before.
  case harmless
  /// It is as it was before its last commits, which `verify --expect DIGEST` finds.
  case cut

  /// Opens, verifies and reads the store in `folder`, which was damaged, and whose content was
  /// `content`.
  ///
  /// - Parameter mayBeAnother: whether it may be another store altogether, whose digests are others.
  /// - Throws: `BrokenPromise` where damage goes unnoticed.
  static func of(
    _ folder: TemporaryFolder, _ content: SmallStore.Content, mayBeAnother: Bool = false
  ) throws -> Judgement {
    var findings: [String] = []
    let found: SmallStore.Content?
    do {
      let store = try folder.store("store.sqlite", .init(patience: 1, access: .readOnly))
      defer { try? store.close() }
      try store.verify(nil) { findings.append($0.description) }
      try holdSnapshots(of: store, to: content)
      found = try? SmallStore.Content(of: store)
    } catch let error as EventStoreError {
      return try expected(error)
    }
    if !findings.isEmpty { return .detected }
    guard let found else {
      throw BrokenPromise("verify found nothing, and yet the store cannot be read")
    }
    if found == content { return .harmless }
    if mayBeAnother, content.logs.allSatisfy({ !found.logs.map(\.digest).contains($0.digest) }) {
      return .cut
    }
    try require(
      content.isCutTo(found),
      "verify found nothing, and the store is another: \(difference(found, content))")
    return .cut
  }

  /// A snapshot that is used has the state that was saved, whatever was damaged.
  private static func holdSnapshots(
    of store: SQLiteEventStore, to content: SmallStore.Content
  ) throws {
    for log in content.logs {
      guard
        let found = try? store.snapshot(
          of: log.info.id, atOrBefore: .max, foldID: SmallStore.foldID)
      else { continue }
      let isTrue = log.snapshots.contains { $0.seq == found.seq && $0.state == found.state }
      try require(isTrue, "session \(log.info.name) has an altered snapshot: \(found)")
    }
  }

  /// Damage is told as such, or as a file that is no store: never as a fault of ours.
  private static func expected(_ error: EventStoreError) throws -> Judgement {
    switch error {
    case .damaged, .notAStore, .newerFormat, .sqlite, .cannotOpen, .readOnly, .system, .diskFull:
      return .detected
    default: throw BrokenPromise("opening failed with \(error)")
    }
  }

  private static func difference(
    _ found: SmallStore.Content, _ content: SmallStore.Content
  ) -> String {
    for (one, other) in zip(found.logs, content.logs) where one != other {
      return "\(one) instead of \(other)"
    }
    return "\(found.logs.count) sessions instead of \(content.logs.count)"
  }
}

/// How many stores came to which end.
final class Tally: Sendable {
  private let counts = Mutex<[String: Int]>([:])

  func add(_ what: String, _ count: Int = 1) { counts.withLock { $0[what, default: 0] += count } }

  func count(_ what: String) -> Int { counts.withLock { $0[what] ?? 0 } }

  /// Notes the figures of a proof.
  func note(_ proof: String, _ names: [String]) {
    Figures.note("Corruption", proof, names.map { ($0, count($0)) })
  }
}
