import EventStoreCore
import Foundation
import JSONTree
import Refold

/// Writes a stretch of a session as one page for a browser: its events, its states as keyframes and
/// patches, and the program that shows them.
///
/// Nothing grows with the length of the log but a temporary file: data are written there first,
/// because only at their end it is known whether they fit. Where they do not, they are written anew
/// with fewer states or payloads.
struct PageWriter<R: Reactor> {
  let info: SessionInfo
  let store: any EventStore
  let range: PositionRange.Resolved
  /// The position that the page opens at.
  let position: Seq
  /// What the tool is called in the commands that the page names.
  let toolName: String
  let limits: PageCapacity
  private let screens: PageScreens<R.State>?
  private let base: Fold<R>
  private let codec = EventCodec()

  /// A page of `range`, opened at `position`.
  ///
  /// - Throws: `SessionError.undecodable` where today's code cannot read an event before it.
  init(
    _ reactor: R, _ info: SessionInfo, in store: any EventStore, _ range: PositionRange.Resolved,
    at position: Seq, toolName: String, limits: PageCapacity = .standard
  ) throws {
    (self.info, self.store, self.range, self.position) = (info, store, range, position)
    (self.toolName, self.limits) = (toolName, limits)
    screens = PageScreens(of: reactor.initialState)
    base = try TimeMachine(reactor, info, in: store).fold(through: range.before)
  }

  /// Writes the page to `output`.
  ///
  /// - Throws: `SessionError.undecodable`, `EventStoreError`, `CodecError`, `Failure`, and
  ///   `OutputClosed`.
  /// - Complexity: O(k) for k events in the range, and a state is encoded for each that has one.
  func write(to output: Output, progress: (Int) -> Void) throws {
    var density = try firstDensity()
    let spool = try PageSpool()
    defer { spool.close() }
    while true {
      do {
        try write(density, to: spool, progress)
        break
      } catch let overflow as PageOverflow {
        density = overflow.thinned(density)
        try spool.empty()
      }
    }
    let title = "\(info.name.rawValue) · \(info.reactor)"
    let frame = PageFrame(title: title, screenStyle: screens?.style)
    output.write(frame.head)
    output.write(try about(density))
    try spool.copy(to: output)
    output.write(frame.foot)
  }

  private var eventCount: Int { Int(range.last.rawValue) - Int(range.before.rawValue) }

  /// The density at which as many states are encoded as the limit allows, were they all as long as
  /// the last one, and at which the payloads of a whole session fit, were they all equally long.
  private func firstDensity() throws -> PageDensity {
    var last = base
    try last.advance(through: range.last, of: info.id, in: store)
    let bytes = try codec.encode(last.state).count
    var density = PageDensity()
    while eventCount / density.stateStride * bytes > limits.encodedBytes {
      density.stateStride *= 2
    }
    let tail = try store.tail(of: info.id)
    guard range.before == .zero, range.last == tail.version else { return density }
    while Int(tail.payloadBytes) / density.payloadStride > limits.payloadBytes {
      density.payloadStride *= 2
    }
    return density
  }

  /// Writes the data to `spool`.
  ///
  /// - Throws: `PageOverflow` where they do not fit.
  private func write(
    _ density: PageDensity, to spool: PageSpool, _ progress: (Int) -> Void
  ) throws {
    var fold = base
    var events = PageEvents(limits)
    var states = try PageHistory("states", of: codec.encode(fold.state), at: fold.seq)
    var screens = try screens.map {
      try PageHistory("screens", of: screen($0, fold.state, since: fold.state), at: fold.seq)
    }
    var (earlier, hasChanged, hasNews) = (fold.state, false, false)
    try store.forEachEvent(of: info.id, after: range.before, through: range.last) {
      header, payload in
      progress(1)
      // Not without need: a copy that is kept has the next reduce copy what it changes.
      if header.kind == .action, screens != nil { (earlier, hasNews) = (fold.state, true) }
      try fold.apply(header, payload)
      hasChanged = hasChanged || header.kind == .mutation
      let offset = Int(header.seq.rawValue) - Int(range.before.rawValue)
      events.append(
        header, payload, keepsPayload: offset % density.payloadStride == 0, spool.write)
      if offset % density.stateStride == 0 || header.seq == range.last {
        if hasChanged { try states.note(codec.encode(fold.state), at: header.seq, spool.write) }
        if let source = self.screens, hasChanged || hasNews {
          let screen = try screen(source, fold.state, since: earlier)
          try screens?.note(screen, at: header.seq, spool.write)
        }
        (hasChanged, hasNews) = (false, false)
      }
      if let overflow = overflow(density, events, states, screens, offset) { throw overflow }
      try spool.check()
    }
    events.finish(spool.write)
    states.finish(spool.write)
    screens?.finish(spool.write)
  }

  private func screen(
    _ source: PageScreens<R.State>, _ state: R.State, since earlier: R.State
  ) throws -> [UInt8] {
    JSONValue.string(try source.markup(state, earlier)).serialized
  }

  private func overflow(
    _ density: PageDensity, _ events: PageEvents, _ states: PageHistory, _ screens: PageHistory?,
    _ offset: Int
  ) -> PageOverflow? {
    let share = Double(offset) / Double(eventCount)
    if events.payloadBytes > limits.payloadBytes { return .payloads(share: share) }
    // The first state and the last are on every page, however large they are.
    guard density.stateStride < eventCount, offset < eventCount else { return nil }
    let isFull =
      states.bytesSoFar > limits.stateBytes || screens?.bytesSoFar ?? 0 > limits.screenBytes
    return isFull ? .states(share: share) : nil
  }

  /// The element that says what the page is of.
  private func about(_ density: PageDensity) throws -> [UInt8] {
    let tail = try store.tail(of: info.id)
    var line = JSONLine()
    line.member("tool", toolName)
    line.member("session", info.name.rawValue)
    line.member("reactor", info.reactor)
    line.member("created", info.createdAt)
    line.member("before", range.before)
    line.member("last", range.last)
    line.member("end", tail.version)
    line.member("digest", try store.digest(of: info.id, at: range.last).description)
    line.member("position", position)
    line.member("stateStride", density.stateStride)
    line.member("payloadStride", density.payloadStride)
    var element = Array("<script type=\"application/json\" id=\"about\">".utf8)
    PageText.append(line.finished(), to: &element)
    return element + Array("</script>\n".utf8)
  }
}
