import EventStoreCore

/// What became of one session of a damaged store.
package struct RecoveredSession: Sendable {
  /// Its number in the damaged store.
  package let number: Int32
  /// Its name, `recovered-N` where that was lost.
  package internal(set) var name: String
  /// Its reactor, nil where that could not be told.
  package internal(set) var reactor: String?
  /// Whether it is a session of the new store.
  package internal(set) var isInStore = false
  /// The events that it has in the new store, an inherited past included: those from the first one on
  /// that the digests prove.
  package internal(set) var events = 0
  /// The last seq that anything in the file speaks of.
  package internal(set) var last = Seq.zero
  /// The digest of what is in the new store.
  package internal(set) var digest: Digest?
  /// The seqs of which nothing was found, the first runs of them.
  package internal(set) var missing: [ClosedRange<UInt32>] = []
  /// How many seqs that is in all.
  package internal(set) var missingCount = 0
  /// How many events were brought out aside, and how sure they are.
  package internal(set) var aside: [LostEvent.Standing: Int] = [:]
  /// The first and the last of those.
  package internal(set) var asideRange: ClosedRange<UInt32>?
  /// What else is to be known of it, in plain words.
  package internal(set) var notes: [String] = []

  /// Whether all of it is in the new store as it was.
  package var isWhole: Bool {
    isInStore && missingCount == 0 && asideRange == nil && notes.isEmpty
  }

  /// Missing runs that are listed.
  private static let runsListed = 100

  init(number: Int32, name: String) { (self.number, self.name) = (number, name) }

  mutating func miss(_ run: ClosedRange<UInt32>) {
    missingCount += run.count
    if missing.count < Self.runsListed { missing.append(run) }
  }

  mutating func bringAside(_ seq: Seq, _ standing: LostEvent.Standing) {
    aside[standing, default: 0] += 1
    asideRange = (asideRange?.lowerBound ?? seq.rawValue)...seq.rawValue
  }
}

/// An event that was found and is in no session of the new store, because something before it is
/// missing or was altered.
package struct LostEvent {
  /// How sure it is that the event is as it was written.
  package enum Standing: String, Sendable, CaseIterable {
    /// The digests of the commits around it prove it.
    case whole
    /// The digest of its commit says that something in that commit was altered or is missing.
    case suspect
    /// No commit that was found holds it, so nothing can be said.
    case unchecked
  }

  /// The name of the session that it is of.
  package let session: String
  package let header: EventHeader
  package let payload: [UInt8]
  package let deliveryID: String?
  package let standing: Standing
}
