import EventStoreCore

extension Session {
  /// The events of this session after `seq`, read from the log: first those that are there, then
  /// each as it becomes durable, none left out. Ends with the session.
  ///
  /// A slow consumer holds nothing back and costs no memory: what it has not read stays in the log.
  public func events(after seq: Seq = .zero) -> SessionEvents<R> {
    SessionEvents(session: self, after: seq)
  }
}

/// The events of a session, read from the log as they become durable.
public struct SessionEvents<R: Reactor>: AsyncSequence, Sendable {
  /// An event.
  public typealias Element = Event

  private let session: Session<R>
  private let start: Seq

  init(session: Session<R>, after seq: Seq) {
    self.session = session
    self.start = seq
  }

  /// Begins to read.
  public func makeAsyncIterator() -> Iterator { Iterator(session: session, reached: start) }

  /// Where one consumer has got to.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let session: Session<R>
    fileprivate var reached: Seq
    fileprivate var page = EventBatch()
    fileprivate var index = 0

    fileprivate init(session: Session<R>, reached: Seq) {
      self.session = session
      self.reached = reached
    }

    /// The next event; waits until there is one. nil when the session has ended.
    ///
    /// - Throws: `EventStoreError`.
    public mutating func next() async throws -> Event? {
      while index == page.count {
        await withTaskCancellationHandler { [session, reached] in
          await session.wait(for: .beyond(reached))
        } onCancel: { [session] in
          session.wakeEventReaders()
        }
        if Task.isCancelled { return nil }
        page = try await session.page(after: reached)
        index = 0
        if page.isEmpty, session.hasEnded { return nil }
      }
      let event = page[index]
      index += 1
      reached = event.header.seq
      return event
    }
  }
}

extension Session {
  fileprivate var hasEnded: Bool { core.withLock { $0.isClosed || $0.failure != nil } }

  /// Lets everyone look again who waits for events: one of them was cancelled.
  fileprivate func wakeEventReaders() {
    let readers = core.withLock { core in
      let all = core.waiters
      core.waiters = all.filter { if case .beyond = $0.condition { false } else { true } }
      return all.filter { if case .beyond = $0.condition { true } else { false } }
    }
    for reader in readers { reader.resume() }
  }

  fileprivate func page(after seq: Seq) async throws -> EventBatch {
    try await options.execution.blocking { [store, info] in
      var page = EventBatch()
      try store.read(info.id, after: seq, through: .max, into: &page)
      return page
    }
  }
}
