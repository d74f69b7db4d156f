import EventStoreCore
import Refold
import Sections

/// `refold replay SESSION`: the session step by step, on a terminal as a screen to move about in,
/// elsewhere a line an event.
struct ReplayCommand: Command {
  static let name = "replay"
  static let summary = "a session step by step: a screen on a terminal, else a line an event"
  static let operands = [Operand(name: "SESSION", summary: "a session's name, or @last")]
  static let options: [Option] = [
    .value("--from", "POS", "the first event (default 1); on the screen, where it opens"),
    .value("--to", "POS", "the last event (default end)"),
    .value("--emit", "WHAT", "lines, on a terminal too: events, states or diffs"),
    .flag("--follow", "go on with events as they come"),
  ]
  static let discussion = """
    Replay folds the recorded mutations: nothing is decided again and no effect starts.

    On a terminal it opens the time machine, at the end of the session or where --from says: the
    events, the state at each, and what each changed. ? lists its keys, q leaves. In a pipe, and
    with --emit or --json, it prints a line an event (--emit events is the default there).
    """
  static let examples = ["refold replay s1", "refold replay s1 --from -5 --emit states"]

  private enum Emission: String, CaseIterable {
    case events, states, diffs
  }

  private let session: String
  private let range: PositionRange
  private let hasStart: Bool
  private let hasEnd: Bool
  private let emission: Emission?
  private let isFollowing: Bool

  init(_ arguments: Arguments) throws {
    session = arguments.operands[0]
    range = try PositionRange(arguments)
    hasStart = arguments.has("--from")
    hasEnd = arguments.has("--to")
    emission = try arguments.choice("--emit", Emission.self)
    isFollowing = arguments.has("--follow")
    if isFollowing, hasEnd {
      throw Failure(.usage, "--follow goes on beyond any end, so it goes without --to")
    }
  }

  func run(_ context: Context) throws -> ExitCode {
    let store = try context.storeForReading()
    let info = try context.session(session, in: store)
    let bounds = try bounds(of: info, in: store)
    if context.console.outputIsTerminal, emission == nil, !context.isJSON {
      if let terminal = Terminal() { return try show(info, bounds, store, context, terminal) }
      context.console.complain(
        "\(context.tool.name): this terminal takes no keys or cannot move its cursor: "
          + "the events as lines")
    }
    return try printLines(info, bounds, store, context)
  }

  /// The events that were asked for; an empty range, at its end, where there are none.
  private func bounds(
    of info: SessionInfo, in store: any EventStore
  ) throws -> PositionRange.Resolved {
    if let resolved = try range.resolve(in: info, of: store) { return resolved }
    let last = try store.tail(of: info.id).version
    return PositionRange.Resolved(before: last, last: last)
  }

  private func show(
    _ info: SessionInfo, _ bounds: PositionRange.Resolved, _ store: any EventStore,
    _ context: Context, _ terminal: Terminal
  ) throws -> ExitCode {
    let wakeUp = try WakeUp()
    let chores = context.chores
    let reactor = try? context.reactor(for: info)
    let worker = reactor.map { self.worker(for: $0, info, store, chores, wakeUp) }
    defer { worker?.stop() }
    let first = bounds.before.advanced(by: 1) ?? bounds.last
    let model = try TimeMachineModel(
      info, in: store, after: .zero, through: bounds.last,
      at: hasStart ? first : bounds.last, isBounded: hasEnd, isLive: isFollowing, worker: worker,
      chores: chores, now: TimeMachineScreen.now)
    if reactor?.anyInitialState is any ScreenPresenting { model.tabs.append(ScreenTab()) }
    var screen = TimeMachineScreen(
      terminal, wakeUp, model, isColored: context.console.isColored)
    return try screen.run()
  }

  private func worker<R: Reactor>(
    for reactor: R, _ info: SessionInfo, _ store: any EventStore, _ chores: StateChores,
    _ wakeUp: WakeUp
  ) -> any StateAnswering {
    StateWorker(reactor, info, in: store, chores: chores) { [weak wakeUp] in wakeUp?.wake() }
  }

  private func printLines(
    _ info: SessionInfo, _ bounds: PositionRange.Resolved, _ store: any EventStore,
    _ context: Context
  ) throws -> ExitCode {
    let emission = emission ?? .events
    let trap = isFollowing ? try SignalTrap() : nil
    if emission == .events {
      return try ReplayLines(context, store, info, trap).print(bounds) {
        JSONLine.append($0, $1, to: &$2)
      }
    }
    return try printStates(
      try context.reactor(for: info), emission, info, bounds, store, context, trap)
  }

  private func printStates<R: Reactor>(
    _ reactor: R, _ emission: Emission, _ info: SessionInfo, _ bounds: PositionRange.Resolved,
    _ store: any EventStore, _ context: Context, _ trap: SignalTrap?
  ) throws -> ExitCode {
    var fold = try TimeMachine(reactor, info, in: store).fold(through: bounds.before)
    var writer = StateLineWriter<R>(diffs: emission == .diffs)
    if emission == .diffs { try writer.start(at: fold) }
    return try ReplayLines(context, store, info, trap).print(bounds) {
      try fold.apply($0, $1)
      // Nothing else changes the state.
      try writer.append(fold, isUnchanged: $0.kind != .mutation, to: &$2)
    }
  }
}

extension Context {
  /// What the time machine may write.
  fileprivate var chores: StateChores {
    StateChores(storePath: storePath, patience: patience, console: console)
  }
}
