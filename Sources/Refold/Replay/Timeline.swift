import EventStoreCore

/// The fold of a recorded session at any position, again and again: for whoever walks through a
/// session rather than asking once.
///
///     let timeline = try Timeline(reactor, info, in: store)
///     try timeline.fold(at: 12_000).state
///     try timeline.fold(at: 11_999).state     // a few events are folded again, not all of them
///
/// Folds are kept as keyframes, evenly spread over what was visited: when there are too many, every
/// second one goes and the space between them doubles. A second, denser row of them lies where the
/// last jump went, so that stepping back is short. A kept state shares with its neighbours whatever
/// its type's own copies share.
///
/// Belongs to one thread at a time. All calls block on the store.
package final class Timeline<R: Reactor> {
  /// The session.
  package let info: SessionInfo
  /// The last seq that is known of; `refresh()` looks again.
  package private(set) var last: Seq
  /// Told before each stretch of at most `stretch` events is folded where that stretch begins; what
  /// it throws ends the call. For progress, and for giving up.
  package var willFold: ((Seq) throws -> Void)?

  private let store: any EventStore
  private let shelf: SnapshotShelf<R>
  private let limit: Int
  private var keyframes: [Fold<R>] = []
  private var spacing = 16
  private var window = Window()
  private var current: Fold<R>?

  /// The most events between two calls of `willFold`.
  package static var stretch: Int { 4096 }

  /// So many events are folded rather than looking for a snapshot that is nearer.
  private static var nearEnough: Int { 512 }

  /// Folds between two keyframes, one every `spacing` events where they were visited.
  private struct Window {
    var start = Seq.zero
    var spacing = 1
    var folds: [Fold<R>?] = []
    static var limit: Int { 64 }
  }

  /// A timeline of the session `info`, of which `reactor` is known to be the reactor.
  ///
  /// - Parameters:
  ///   - limit: the most keyframes, at least 2. Besides them, some dozens of folds are kept.
  ///   - foldID: under which id snapshots are kept; nil to use none.
  package init(
    _ reactor: R, _ info: SessionInfo, in store: any EventStore, limit: Int = 256,
    foldID: @Sendable (any Reactor) -> String? = { FoldID.of($0) }
  ) throws {
    (self.info, self.store, self.limit) = (info, store, max(2, limit))
    shelf = SnapshotShelf(reactor, info, in: store, foldID: foldID)
    last = try store.tail(of: info.id).version
  }

  /// Looks where the session ends now.
  ///
  /// - Returns: whether it has grown.
  @discardableResult
  package func refresh() throws -> Bool {
    let known = last
    last = try store.tail(of: info.id).version
    return last > known
  }

  /// The fold after the event `seq`.
  ///
  /// - Throws: `SessionError.beyondEnd` beyond `last`; `.undecodable`; `EventStoreError`.
  /// - Complexity: O(1) events for the position asked for last and the one after it; else O(k) for
  ///   the k events since the nearest keyframe or snapshot. Keyframes lie about 1/256 of the furthest
  ///   position apart where events were visited, and 1/64 of that where the last jump went.
  package func fold(at seq: Seq) throws -> Fold<R> {
    guard seq <= last else { throw beyondEnd(seq) }
    var fold = start(for: seq)
    // Not held twice while it changes, so that a state that nobody else holds is folded in place.
    current = nil
    try advance(&fold, through: seq)
    current = fold
    return fold
  }

  /// Lends each event of `range` together with the fold after it, oldest first, until `found` says
  /// that it has what it looked for.
  ///
  /// - Returns: the seq of that event; nil where there was none.
  /// - Throws: as `fold(at:)`, and what `found` throws.
  /// - Complexity: O(k) for k events, and as `fold(at:)` for the first.
  @discardableResult
  package func firstStep(
    in range: ClosedRange<Seq>, where found: (EventHeader, RawSpan, Fold<R>) throws -> Bool
  ) throws -> Seq? {
    guard range.upperBound <= last else { throw beyondEnd(range.upperBound) }
    var fold = try fold(at: range.lowerBound.previous)
    current = nil
    var (page, result): (EventBatch, Seq?) = (EventBatch(), nil)
    while result == nil, fold.seq < range.upperBound {
      try willFold?(fold.seq)
      try store.read(info.id, after: fold.seq, through: range.upperBound, into: &page)
      guard !page.isEmpty else { throw beyondEnd(range.upperBound) }
      for index in page.headers.indices where result == nil {
        let header = page.headers[index]
        try page.withPayload(at: index) { payload in
          try fold.apply(header, payload)
          keep(fold)
          if try found(header, payload, fold) { result = header.seq }
        }
      }
    }
    current = fold
    return result
  }

  /// Lends each event of `range` together with the fold after it, oldest first.
  ///
  /// - Throws: as `fold(at:)`, and what `body` throws.
  /// - Complexity: as `firstStep(in:where:)`.
  package func forEachStep(
    in range: ClosedRange<Seq>, _ body: (EventHeader, RawSpan, Fold<R>) throws -> Void
  ) throws {
    try firstStep(in: range) {
      try body($0, $1, $2)
      return false
    }
  }
}

extension Timeline {
  /// The seqs of the keyframes, for tests.
  package var keyframeSeqs: [Seq] { keyframes.map(\.seq) }

  /// The fold to go on from: the last one where that is near, else the nearest one that is kept. The
  /// window moves to where a jump goes.
  private func start(for seq: Seq) -> Fold<R> {
    let isBehind = current.map { $0.seq <= seq } ?? false
    if isBehind, let current, current.seq.distance(to: seq) <= spacing { return current }
    moveWindow(to: seq)
    let kept = [nearestKeyframe(to: seq), nearestInWindow(to: seq), isBehind ? current : nil]
    let nearest = kept.compactMap { $0 }.max { $0.seq < $1.seq } ?? shelf.start
    guard nearest.seq.distance(to: seq) > Self.nearEnough,
      let fold = shelf.fold(atOrBefore: seq), fold.seq > nearest.seq
    else { return nearest }
    return fold
  }

  private func beyondEnd(_ seq: Seq) -> SessionError {
    .beyondEnd(session: info.name.rawValue, asked: "seq \(seq)", last: last)
  }

  private func advance(_ fold: inout Fold<R>, through seq: Seq) throws {
    while fold.seq < seq {
      try willFold?(fold.seq)
      let before = fold.seq
      let end = min(seq, before.advanced(by: Self.stretch) ?? seq)
      try store.forEachEvent(of: info.id, after: before, through: end, payloads: .mutations) {
        try fold.apply($0, $1)
        keep(fold)
      }
      guard fold.seq > before else { throw beyondEnd(seq) }
    }
  }

  /// Keeps `fold` where a keyframe or a fold of the window belongs.
  private func keep(_ fold: Fold<R>) {
    let seq = Int(fold.seq.rawValue)
    if seq % spacing == 0 { keepKeyframe(fold) }
    let offset = seq - Int(window.start.rawValue)
    guard offset > 0, offset % window.spacing == 0 else { return }
    let place = offset / window.spacing
    guard place < window.folds.count, window.folds[place] == nil else { return }
    window.folds[place] = fold
  }
}

extension Timeline {
  private func keepKeyframe(_ fold: Fold<R>) {
    let place = keyframesBehind(fold.seq)
    if place > 0, keyframes[place - 1].seq == fold.seq { return }
    keyframes.insert(fold, at: place)
    // More than once where they do not lie side by side, as jumps from snapshots leave them.
    while keyframes.count > limit {
      spacing *= 2
      keyframes.removeAll { Int($0.seq.rawValue) % spacing != 0 }
    }
  }

  /// The last keyframe at or before `seq`.
  private func nearestKeyframe(to seq: Seq) -> Fold<R>? {
    let count = keyframesBehind(seq)
    return count > 0 ? keyframes[count - 1] : nil
  }

  /// How many keyframes lie at or before `seq`.
  private func keyframesBehind(_ seq: Seq) -> Int {
    var (low, high) = (0, keyframes.count)
    while low < high {
      let middle = (low + high) / 2
      if keyframes[middle].seq <= seq { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func moveWindow(to seq: Seq) {
    let start = Seq(seq.rawValue / UInt32(spacing) * UInt32(spacing))
    guard window.folds.isEmpty || window.start != start else { return }
    window = Window(
      start: start, spacing: max(1, spacing / Window.limit),
      folds: Array(repeating: nil, count: Window.limit))
  }

  /// The last fold of the window at or before `seq`.
  private func nearestInWindow(to seq: Seq) -> Fold<R>? {
    let offset = window.start.distance(to: seq)
    guard offset >= 0 else { return nil }
    let last = min(offset / window.spacing, window.folds.count - 1)
    return window.folds[...last].last { $0 != nil } ?? nil
  }
}
