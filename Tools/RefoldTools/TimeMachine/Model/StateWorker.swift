import Dispatch
import EventStoreCore
import Foundation
import JSONTree
import Refold
import Sections

/// The thread that folds and encodes states, so that keys never wait for it.
final class StateWorker<R: Reactor>: StateAnswering {
  private let queue: StateQueue
  private let ended = DispatchSemaphore(value: 0)

  /// A worker for the session `info`, which `reactor` recorded.
  init(
    _ reactor: R, _ info: SessionInfo, in store: any EventStore, chores: StateChores,
    wake: @escaping @Sendable () -> Void
  ) {
    let queue = StateQueue(wake: wake)
    self.queue = queue
    let ended = ended
    let thread = Thread {
      StateWork(reactor, info, store, chores, queue).run()
      ended.signal()
    }
    thread.stackSize = 8 << 20
    thread.start()
  }

  func show(_ position: StateRequest.Position) { queue.ask(position) }
  func find(_ change: StateRequest.Change) { queue.ask(change) }
  func stopFinding() { queue.ask(StateRequest.Change?.none) }
  func perform(_ chore: StateRequest.Chore) { queue.ask(chore) }
  func reports() -> [StateReport] { queue.takeReports() }

  func stop() {
    queue.stop()
    ended.wait()
  }
}

/// What the worker's thread does, and keeps between two tasks.
private final class StateWork<R: Reactor> {
  /// A newer question took this one's place.
  private struct GivenUp: Error {}

  /// Progress is told this often, in nanoseconds.
  private static var progressInterval: UInt64 { 50_000_000 }

  private let reactor: R
  private let info: SessionInfo
  private let store: any EventStore
  private let chores: StateChores
  private let queue: StateQueue
  private let codec = EventCodec()
  private var timeline: Timeline<R>?
  /// The states that were encoded last: stepping needs the one before.
  private var encoded: [(seq: Seq, bytes: [UInt8])] = []
  /// Keyframes are there up to here.
  private var prepared = Seq.zero
  private var lastProgress: UInt64 = 0

  init(
    _ reactor: R, _ info: SessionInfo, _ store: any EventStore, _ chores: StateChores,
    _ queue: StateQueue
  ) {
    (self.reactor, self.info, self.store) = (reactor, info, store)
    (self.chores, self.queue) = (chores, queue)
  }

  func run() {
    while true {
      switch queue.next() {
      case .position(let position, let ticket): show(position, ticket)
      case .change(let change, let ticket): find(change, ticket)
      case .chore(let chore): perform(chore)
      case .idle:
        prepare()
        if queue.isIdle { queue.wait() }
      case .stop: return
      }
    }
  }

  private func show(_ position: StateRequest.Position, _ ticket: Int) {
    do {
      let timeline = try timeline(reaching: position.seq)
      watch(timeline, goal: position.seq) { [queue] in queue.wantsPosition(ticket) }
      let fold = try timeline.fold(at: position.seq)
      let bytes = try encoded(fold)
      // Told even if it is not wanted any more: while a key is held down, it is all there is to see.
      let document = try JSONDocument(bytes)
      queue.report(
        .state(
          ShownState(seq: fold.seq, document: document, screen: try screen(of: fold, timeline))))
      guard queue.wantsPosition(ticket) else { return }
      try tellChanges(position, bytes, timeline, ticket)
    } catch is GivenUp {
    } catch {
      queue.report(.unreadable(position.seq, reason: Failure(error).message))
    }
  }

  /// What is on screen after `fold`, with what the last action has brought up.
  private func screen(of fold: Fold<R>, _ timeline: Timeline<R>) throws -> ScreenReport? {
    guard let state = fold.state as? any ScreenPresenting else { return nil }
    let action = try store.lastAction(of: info.id, through: fold.seq)
    let earlier = try timeline.fold(at: action?.previous ?? .zero).state
    do {
      return .screen(try state.screen(sinceAny: earlier))
    } catch {
      return .failed("\(error)")
    }
  }

  private func tellChanges(
    _ position: StateRequest.Position, _ bytes: [UInt8], _ timeline: Timeline<R>, _ ticket: Int
  ) throws {
    let old = try encoded(at: position.from, timeline)
    guard queue.wantsPosition(ticket) else { return }
    // Equal states are equal bytes.
    if old == bytes {
      return queue.report(.changes(ChangeList(unchangedFrom: position.from, to: position.seq)))
    }
    let (before, after) = (try JSONValue(parsing: old), try JSONValue(parsing: bytes))
    guard queue.wantsPosition(ticket) else { return }
    queue.report(.changes(ChangeList(from: position.from, before, to: position.seq, after)))
  }

  private func perform(_ chore: StateRequest.Chore) {
    do {
      switch chore {
      case .fork(let seq, let name):
        queue.report(.done(try chores.fork(info, seq, name)))
      case .export(let seq, let file):
        let timeline = try timeline(reaching: seq)
        watch(timeline, goal: seq) { true }
        let fold = try timeline.fold(at: seq)
        let line = try StateLine.exported(fold, of: info, in: store)
        queue.report(.done(try chores.write(line, seq, file)))
      }
    } catch {
      queue.report(.failed(Failure(error).message))
    }
  }

  /// Folds the whole session once while nobody asks for anything, so that jumps are short.
  private func prepare() {
    guard let timeline, (try? timeline.refresh()) != nil,
      prepared.distance(to: timeline.last) > Timeline<R>.stretch
    else { return }
    timeline.willFold = { [queue] _ in if !queue.isIdle { throw GivenUp() } }
    do {
      _ = try timeline.fold(at: timeline.last)
      prepared = timeline.last
    } catch is GivenUp {
    } catch {
      // Told when a position beyond it is asked for.
      prepared = timeline.last
    }
  }
}

extension StateWork {
  private func find(_ change: StateRequest.Change, _ ticket: Int) {
    do {
      let timeline = try timeline(reaching: max(change.from, change.limit))
      watch(timeline, goal: change.limit) { [queue] in queue.wantsChange(ticket) }
      let found = try place(of: change, in: timeline)
      queue.report(.change(found, pointer: change.pointer))
    } catch is GivenUp {
    } catch {
      queue.report(.failed(Failure(error).message))
    }
  }

  /// The next event beyond where `change` is looked from, in its direction, up to its limit.
  private func place(of change: StateRequest.Change, in timeline: Timeline<R>) throws -> Seq? {
    let pointer = try JSONPointer(change.pointer)
    if change.isForward {
      guard let first = change.from.advanced(by: 1), first <= change.limit else { return nil }
      return try timeline.firstChange(at: pointer, in: first...change.limit)
    }
    guard change.from > .zero else { return nil }
    let found = try timeline.lastChange(at: pointer, through: change.from.previous)
    return found > change.limit ? found : nil
  }

  private func timeline(reaching seq: Seq) throws -> Timeline<R> {
    let timeline = try timeline ?? Timeline(reactor, info, in: store)
    self.timeline = timeline
    if seq > timeline.last { try timeline.refresh() }
    return timeline
  }

  private func watch(
    _ timeline: Timeline<R>, goal: Seq, isWanted: @escaping () -> Bool
  ) {
    timeline.willFold = { [unowned self] seq in
      guard isWanted() else { throw GivenUp() }
      tellProgress(seq, goal: goal)
    }
  }

  private func tellProgress(_ seq: Seq, goal: Seq) {
    let now = DispatchTime.now().uptimeNanoseconds
    guard now - lastProgress > Self.progressInterval else { return }
    if lastProgress > 0 { queue.report(.progress(at: seq, goal: goal)) }
    lastProgress = now
  }

  private func encoded(_ fold: Fold<R>) throws -> [UInt8] {
    if let known = encoded.first(where: { $0.seq == fold.seq }) { return known.bytes }
    let bytes = try codec.encode(fold.state)
    encoded = encoded.suffix(2) + [(fold.seq, bytes)]
    return bytes
  }

  private func encoded(at seq: Seq, _ timeline: Timeline<R>) throws -> [UInt8] {
    if let known = encoded.first(where: { $0.seq == seq }) { return known.bytes }
    return try encoded(try timeline.fold(at: seq))
  }
}
