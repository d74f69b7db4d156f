import EventStoreCore
import Synchronization

/// One live run of a reactor over a durable log.
///
///     let session = try await Session.open(CounterReactor(), named: "s1", in: store)
///     try await session.send(.increase(by: 2))     // returns when it is on disk
///     for await state in session.states { … }      // the latest first, then every change
///
/// The way of an action: where the loop is idle, the sender's thread is the loop and decides it at
/// once; else it is queued, for whoever is the loop. The loop asks `mutate`, reduces what the effect
/// gives at once, and adds both to the open batch. The writer queue appends the batch as one commit,
/// and only then are its mutations reduced once more, into the state that observers see, the sender
/// told, and what takes time started. While one commit is being written the next batch fills, so
/// whatever is waiting shares a commit. Where the reactor transforms mutations or states, the
/// writer queue does all of it, under the store's lock.
///
/// Now and then the durable state is kept as a snapshot, with which the next opening begins.
///
/// Several processes may have a session of the same name open. Each folds what the others have
/// appended before it commits, and decides again what it had decided without that.
///
/// All members may be used from any thread. A session that is to end is closed with `close()`.
public final class Session<R: Reactor>: Sendable {
  /// Name, reactor, creation and parent.
  public let info: SessionInfo
  /// The effects that were found without an end, and no living process to end them, on opening.
  public let interrupted: [InterruptedEffect]

  let reactor: R
  let store: any EventStore
  let options: SessionOptions
  let codec: EventCodec
  let owner: UInt64
  /// Shows that this session runs its effects, until it is closed.
  let ownerToken: Mutex<(any OwnerToken)?>
  let core: Mutex<SessionCore>
  let workspace: Workspace<R>
  let outbox = Outbox<R>()
  let durable: DurableState<R>
  let writer: SessionExecution.SerialQueue
  let snapshots: SnapshotTaker<R>
  let cancellations = CancellationRegistry()
  let tasks = TaskCounter()

  /// Opens the session called `name`, creating it where there is none, at the end of its log: the
  /// newest snapshot, and the events since folded onto it.
  ///
  /// Effects that an earlier process left without an end are in `interrupted`, and are dealt with
  /// as `options.interrupted` says.
  ///
  /// - Throws: `SessionError.otherReactor` where another reactor recorded it; `.undecodable` where
  ///   today's code cannot read an event; `EventStoreError`.
  /// - Complexity: O(k) for the k events since the newest snapshot of this build, for all events where
  ///   there is none.
  public static func open(
    _ reactor: R, named name: String, in store: any EventStore,
    options: SessionOptions = SessionOptions()
  ) async throws -> Session {
    try await options.execution.blocking {
      try Session(reactor, named: SessionName(name), in: store, options: options)
    }
  }

  /// As `open`, on the calling thread, which must be one that may block.
  package init(
    _ reactor: R, named name: SessionName, in store: any EventStore, options: SessionOptions
  ) throws {
    self.reactor = reactor
    self.store = store
    self.options = options
    var codec = EventCodec(secretKey: options.secretKey)
    let secrets = SecretWitness()
    codec.userInfo[.secretWitness] = secrets
    self.codec = codec
    info = try Self.findOrCreate(name, in: store, at: options.now())
    if info.reactor != R.name {
      throw SessionError.otherReactor(
        session: name.rawValue, recorded: info.reactor, asked: R.name)
    }
    let token = try store.claimOwnership()
    owner = token.owner
    ownerToken = Mutex(token)

    let shelf = SnapshotShelf(
      reactor, info, in: store, foldID: options.foldID, leastEvents: options.eventsBetweenSnapshots)
    var trail = SnapshotTrail(shelf, codec: codec)
    try trail.follow()
    trail.saveMany()
    snapshots = SnapshotTaker(trail, shelf, codec, secrets, on: options.execution.snapshots) {
      options.onIssue?($0)
    }
    let fold = trail.fold
    var progress = Progress(
      version: fold.seq, recordedAt: fold.recordedAt ?? info.createdAt)
    let open = try OpenEffects.of(info, in: store).filter { $0.pending <= fold.seq }
    progress.openElsewhere = Dictionary(uniqueKeysWithValues: open.map { ($0.cause, $0.pending) })
    interrupted = open.filter { !$0.isRunning }
      .map { InterruptedEffect(cause: $0.cause, since: $0.since, pending: $0.pending) }
    core = Mutex(SessionCore(published: progress))
    durable = DurableState(reactor, fold.state, at: fold.seq)
    workspace = Workspace(fold.state, _StepLog(progress, codec, session: name.rawValue))
    writer = options.execution.queue("refold.session.\(name)")
    try options.beforeStart?(info)
    try start()
  }

  /// The latest durable state, after `transform(state:)`.
  public var currentState: R.State {
    if workspace.isDecidedByCaller { durable.mayBeReadByReactor() }
    return durable.latest
  }

  /// The last durable seq.
  public var version: Version { core.withLock { $0.published.version } }

  /// Sends `action`, and returns when its first commit is on disk: the action, and what its effect
  /// gave at once. The receipt's `finished` waits for the whole effect.
  ///
  /// An effect that fails, at once or later, is no error of `send`: it is in the log, in `finished`,
  /// and told to `options.onIssue`.
  ///
  /// - Parameter id: makes the delivery idempotent: a second send of the same action under the same
  ///   id is not executed, and gives the first one's seq.
  /// - Throws: `SessionError.closed`, `.stopped`, `.unencodable`, `.otherActionUnderSameID`.
  @discardableResult
  public func send(_ action: R.Action, id: String? = nil) async throws -> Receipt {
    let payload = try encode(action)
    let delivery = try id.map { try Delivery(id: $0, action: payload) }
    return try await withCheckedThrowingContinuation { continuation in
      let reply = Reply.call { continuation.resume(with: $0) }
      submit(
        action, payload: payload.span.bytes, delivery: delivery, sender: sender, reply: reply)
    }
  }

  /// Queues `action` and returns at once: for observers, and for senders that do not wait. One that
  /// is not accepted is reported to `options.onIssue`.
  public func enqueue(_ action: R.Action) {
    do {
      let payload = try encode(action)
      submit(action, payload: payload.span.bytes, sender: sender, reply: .nobody)
    } catch {
      report(.actionRefused(error: error))
    }
  }

  /// What the sender of `delivery` is told, if it is in the log already. Blocks on the store.
  package func replyToRepeated(
    _ delivery: Delivery
  ) throws -> Result<Receipt, any Error>? {
    try store.delivery(delivery.id, in: info.id).map {
      Self.reply(to: delivery, $0, version: try store.tail(of: info.id).version)
    }
  }

  /// Returns when all that was accepted is on disk and no effect goes on.
  public func finishEffects() async { await wait(for: .idle) }

  private func encode(_ action: R.Action) throws -> [UInt8] {
    do {
      return try codec.encode(action)
    } catch {
      throw SessionError.unencodable(type: String(describing: R.Action.self), reason: "\(error)")
    }
  }

  /// The action in whose effect the caller runs, if that effect is one of this session's.
  private var sender: ActionSender {
    guard let context = CauseContext.current, context.loop == ObjectIdentifier(self) else {
      return .outside
    }
    return context.sender
  }
}

// Opening.
extension Session {
  private static func findOrCreate(
    _ name: SessionName, in store: any EventStore, at time: Timestamp
  ) throws -> SessionInfo {
    if let info = try store.session(named: name) { return info }
    return try store.transaction { transaction in
      // Another process may have created it since.
      try transaction.session(named: name)
        ?? transaction.createSession(named: name, reactor: R.name, at: time)
    }
  }

  /// Begins the transforms and deals with what they and an earlier process left to do.
  private func start() throws {
    let outbox = outbox
    workspace.actions = Pipeline(loop: self, transform: reactor.transform(action:)) {
      outbox.append(.action($0, cause: $1))
    } failed: { [weak self] in
      outbox.append(.failed($0, cause: $1))
      self?.report(.transformFailed(name: "transform(action:)", error: $0))
    }
    workspace.mutations = Pipeline(loop: self, transform: reactor.transform(mutation:)) {
      outbox.append(.mutation($0, cause: $1))
    } failed: { [weak self] in
      outbox.append(.failed($0, cause: $1))
      self?.report(.transformFailed(name: "transform(mutation:)", error: $0))
    }
    workspace.states = Pipeline(loop: self, transform: reactor.transform(state:)) {
      [weak self] state, cause in
      self?.publish(state, cause: cause, isTransformed: true)
    } failed: { [weak self] in
      self?.report(.transformFailed(name: "transform(state:)", error: $0))
      self?.take(.script(ReactorScript<R>([.fail($0, tag: $1)])))
    }
    _ = workspace.states?.push(workspace.state, cause: .zero)

    let recovery: [Decision<R>] = workspace.log.progress.version == .zero ? [] : [.recover]
    let replayed = outbox.drain().map { output -> Decision<R> in
      switch output {
      case .mutation(let mutation, _): .replayed(mutation)
      case .action(let action, let cause): .mutate(action, tag: cause)
      case .end(let run, let outcome): .end(run, outcome)
      case .failed(let error, let cause): .fail(error, tag: cause)
      }
    }
    // What relays say comes first: an action that is decided again should find the world as it is.
    let decidesUnderLock = workspace.mutations != nil || workspace.states != nil
    let scripts =
      [recovery, replayed]
      + (try interrupted.map { try decisionsOnInterrupted($0, workspace.actions) })
    core.withLock { core in
      let (actions, mutations, states) = (workspace.actions, workspace.mutations, workspace.states)
      core.closeTransforms = {
        actions?.close()
        mutations?.close()
        states?.close()
      }
      core.decidesUnderLock = decidesUnderLock
      core.decidesAtOnce =
        !decidesUnderLock && !options.isSequential && actions == nil
      for script in scripts where !script.isEmpty {
        core.inbox.append(.script(ReactorScript(script)))
      }
    }
    if !decidesUnderLock { return drain() }
    let wake = core.withLock { core in
      core.leaveLoop(effectsGoOn: false)
      return !core.inbox.isEmpty && core.wakeIdleWriter()
    }
    if wake { wakeWriter() }
  }

  private func decisionsOnInterrupted(
    _ effect: InterruptedEffect, _ transform: Pipeline<R.Action>?
  ) throws -> [Decision<R>] {
    switch options.interrupted {
    case .leave: return []
    case .drop: return [.drop(cause: effect.cause, pending: effect.pending)]
    case .retry:
      let action = try recordedAction(at: effect.cause)
      guard let transform, transform.push(action, cause: effect.cause) else {
        return [.retry([action], cause: effect.cause, pending: effect.pending)]
      }
      let actions = outbox.drain().compactMap { output -> R.Action? in
        if case .action(let action, _) = output { action } else { nil }
      }
      return [.retry(actions, cause: effect.cause, pending: effect.pending)]
    }
  }

  private func recordedAction(at seq: Seq) throws -> R.Action {
    var page = EventBatch()
    try store.read(info.id, after: seq.previous, through: seq, into: &page)
    guard let event = page.events.first else {
      throw EventStoreError.noSuchEvent(
        session: info.name.rawValue, seq: seq, last: try store.tail(of: info.id).version)
    }
    do {
      return try codec.decodeAction(R.Action.self, from: event.payload)
    } catch {
      throw SessionError.undecodable(
        session: info.name.rawValue, seq: seq, kind: event.header.kind,
        type: String(describing: R.Action.self), reason: "\(error)")
    }
  }
}
