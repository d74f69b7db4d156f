import EventStoreCore
import EventStoreSQLite
import Refold

/// `refold run REACTOR`: actions in, one JSON value a line, each acknowledged when it is on disk.
struct RunCommand: Command {
  static let name = "run"
  static let summary = "take actions from standard input, one JSON value a line"
  static let operands = [
    Operand(name: "REACTOR", summary: "which reactor; refold reactors lists them")
  ]
  static let options: [Option] = [
    .value("--session", "NAME", "the session to continue or create (default a new REACTOR-N)"),
    .value("--input", "FILE", "read actions there instead of standard input"),
    .value("--emit", "WHAT", "events (default), states, diffs, acks or none"),
    .flag("--envelope", #"lines are {"id":…,"session":…,"action":…}; an id makes one idempotent"#),
    .value("--sync", "LEVEL", "full (default) or normal"),
    .flag("--sequential", "each action waits for the effect of the one before"),
    .flag("--strict", "stop at the first bad line"),
    .value("--rejects", "FILE", "append lines that were not accepted to FILE"),
    .flag("--retry-interrupted", "decide the actions of interrupted effects again"),
    .flag("--drop-interrupted", "log interrupted effects as cancelled"),
    .value(
      "--drain", "SECONDS",
      "how long to wait for effects at the end of input (default: to their end)"),
    .value("--batch", "N", "the most actions in a commit (default 4096)"),
    .value(
      "--set", "KEY=VALUE", "a setting of the reactor; refold reactors lists them",
      isRepeatable: true),
  ]
  static let discussion = """
    An action is written as Swift codes it, {"increase":{"by":2}}; one without values also as
    "reset". A line that cannot be accepted changes nothing: it is reported, the lines around it
    are processed, and the exit code is 65.
    """
  static let examples = [
    #"printf '{"increase":{"by":2}}\n"reset"\n' | refold run counter --session s1"#,
    "refold run counter --session s1 --input actions.ndjson --emit none",
  ]

  private let reactor: String
  private let plan: RunPlan

  init(_ arguments: Arguments) throws {
    reactor = arguments.operands[0]
    plan = try RunPlan(arguments)
  }

  func run(_ context: Context) throws -> ExitCode {
    let entry = try context.reactor(named: reactor)
    return try run(try entry.make(plan.settings), entry, context)
  }

  private func run<R: Reactor>(
    _ reactor: R, _ entry: AnyReactor, _ context: Context
  ) throws -> ExitCode {
    try checkFiles(context)
    let input = try InputFile(plan.input)
    defer { input.close() }
    let store = try context.storeForWriting(synchronous: plan.synchronous)
    let pipe = try RunPipe(reactor, entry, plan, store, context)
    let code = try pipe.run(input)
    try store.close()
    return code
  }

  private func checkFiles(_ context: Context) throws {
    let storeFiles = StoreFiles(context.storePath)
    if let input = plan.input { try storeFiles.refuse(input, as: "--input") }
    guard let rejects = plan.rejects else { return }
    try storeFiles.refuse(rejects, as: "--rejects")
    if StoreFiles.areSame(rejects, plan.input ?? "/dev/stdin") {
      throw Failure(
        .usage, "--rejects \(Printable.line(rejects)) is the input itself. Choose another place.")
    }
  }
}

/// How a run was asked to be.
struct RunPlan: Sendable {
  let session: String?
  let input: String?
  let emission: Emission
  let isEnvelope: Bool
  let synchronous: SQLiteEventStore.Synchronous
  let isStrict: Bool
  let rejects: String?
  let drainSeconds: Double?
  let settings: Settings
  let isSequential: Bool
  private let interrupted: SessionOptions.InterruptedPolicy
  private let actionsPerCommit: Int?

  init(_ arguments: Arguments) throws {
    session = arguments.value("--session")
    if let session, session != "@last" { _ = try SessionName(session) }
    input = arguments.value("--input")
    emission = try arguments.choice("--emit", Emission.self) ?? .events
    isEnvelope = arguments.has("--envelope")
    synchronous = try arguments.choice("--sync", SQLiteEventStore.Synchronous.self) ?? .full
    isStrict = arguments.has("--strict")
    rejects = arguments.value("--rejects")
    drainSeconds = try arguments.seconds("--drain")
    isSequential = arguments.has("--sequential")
    actionsPerCommit = try arguments.number("--batch", atLeast: 1)
    switch (arguments.has("--retry-interrupted"), arguments.has("--drop-interrupted")) {
    case (true, true):
      throw Failure(.usage, "--retry-interrupted and --drop-interrupted exclude each other")
    case (true, false): interrupted = .retry
    case (false, true): interrupted = .drop
    case (false, false): interrupted = .leave
    }
    settings = try Self.settings(arguments.all("--set"))
  }

  /// The options of each session.
  var sessionOptions: SessionOptions {
    var options = SessionOptions()
    options.isSequential = isSequential
    options.interrupted = interrupted
    if let actionsPerCommit { options.actionsPerCommit = actionsPerCommit }
    return options
  }

  /// Whether interrupted effects stay as they are, so that people have to be told.
  var leavesInterrupted: Bool {
    if case .leave = interrupted { return true }
    return false
  }

  private static func settings(_ words: [String]) throws -> Settings {
    var settings = Settings()
    for word in words {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty else {
        throw Failure(.usage, "--set takes KEY=VALUE, not \"\(Printable.line(word))\"")
      }
      guard settings.values.updateValue(String(parts[1]), forKey: String(parts[0])) == nil else {
        throw Failure(.usage, "--set \(Printable.line(String(parts[0]))) is given twice")
      }
    }
    return settings
  }
}
