import Dispatch
import Synchronization

/// Reads the pages behind each other on a thread of its own, a few ahead of the one thread that takes
/// them, so that reading and what is done with the events happen at the same time.
///
/// The reading thread is given back whenever enough pages wait, and asked for again when they become
/// few. Nothing depends on its coming, for there are only so many threads, and all of them may be
/// visiting: whoever finds no page, and nobody at one, reads it there and then. Pages go from hand to
/// hand: each is touched by one thread at a time.
final class PagesAhead: Sendable {
  /// The most pages that wait; with the one being visited and the one being read, the memory used.
  static let depth = 4

  /// Replaces a page by the one after a seq; by an empty one at the end.
  typealias Read = @Sendable (Seq, inout EventBatch) throws -> Void

  private struct State {
    /// What was read, oldest first; the end and an error are the last that comes.
    var waiting: [Result<EventBatch, any Error>] = []
    /// Pages that were visited, whose memory is used again.
    var spare: [EventBatch] = []
    var reached = Seq.zero
    /// Whether the reading thread has been asked for.
    var isReading = false
    /// Whether a page is being read, by whichever thread.
    var isAtPage = false
    var isOver = false
    /// Whether `stop` waits for the page that is being read.
    var isAwaited = false
  }

  private let read: Read
  private let queue = DispatchQueue(label: "refold.pages-ahead")
  private let state = Mutex(State())
  /// Counts what waits.
  private let arrivals = DispatchSemaphore(value: 0)
  /// Signalled when what `stop` waits for has been read.
  private let rest = DispatchSemaphore(value: 0)

  /// Pages that `read` gives, one call at a time.
  init(_ read: @escaping Read) { self.read = read }

  /// Begins behind `seq`.
  func start(after seq: Seq) {
    state.withLock { state in
      state.reached = seq
      state.isReading = true
    }
    queue.async { self.readAhead() }
  }

  /// Swaps `page` for the next one, waiting for it.
  ///
  /// - Returns: false at the end, after which nothing comes.
  /// - Throws: what reading threw, after which nothing comes; the pages before it were given.
  func exchange(_ page: inout EventBatch) throws -> Bool {
    if let (seq, spare) = takeTurn(isVisitor: true) { readPage(after: seq, into: spare) }
    arrivals.wait()
    let (next, wakes) = state.withLock { state in
      let next = state.waiting.removeFirst()
      // Not held twice, or whoever fills it next would copy it.
      state.spare.append(page)
      page = EventBatch()
      // Not for each page: waking a thread costs as much as some dozens of events.
      let wakes = !state.isReading && !state.isOver && state.waiting.count <= Self.depth / 2
      if wakes { state.isReading = true }
      return (next, wakes)
    }
    if wakes { queue.async { self.readAhead() } }
    page = try next.get()
    return !page.isEmpty
  }

  /// Waits for the page that is being read; nothing is read after that.
  func stop() {
    let isAtPage = state.withLock { state in
      state.isOver = true
      state.isAwaited = state.isAtPage
      return state.isAtPage
    }
    if isAtPage { rest.wait() }
  }

  private func readAhead() {
    while let (seq, spare) = takeTurn(isVisitor: false) { readPage(after: seq, into: spare) }
  }

  private func readPage(after seq: Seq, into spare: consuming EventBatch) {
    var page = spare
    let result = Result {
      try read(seq, &page)
      return page
    }
    page = EventBatch()
    add(result)
  }

  /// Where to go on, and a page to fill; nil when there is nothing to do, and then the reading
  /// thread's turn is over.
  private func takeTurn(isVisitor: Bool) -> (Seq, EventBatch)? {
    state.withLock { state in
      let most = isVisitor ? 1 : Self.depth
      guard !state.isOver, !state.isAtPage, state.waiting.count < most else {
        if !isVisitor { state.isReading = false }
        return nil
      }
      state.isAtPage = true
      return (state.reached, state.spare.popLast() ?? EventBatch())
    }
  }

  private func add(_ result: Result<EventBatch, any Error>) {
    let isAwaited = state.withLock { state in
      state.isAtPage = false
      if case .success(let page) = result, let end = page.headers.last?.seq {
        state.reached = end
      } else {
        state.isOver = true
      }
      state.waiting.append(result)
      return state.isAwaited
    }
    arrivals.signal()
    if isAwaited { rest.signal() }
  }
}
