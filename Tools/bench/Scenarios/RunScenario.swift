import BenchReport
import CLimit

/// `refold run` on lines from a file, over a store that is made anew for each sample.
@MainActor
struct RunScenario {
  let reactor: String
  /// A file of lines.
  let input: String
  /// How many there are.
  let count: Int
  let folder: TemporaryFolder
  /// The store that each sample starts with a copy of: it has the session s1, of number 1.
  let template: String
  /// What else the command is told.
  var options: [String] = []
  var isFull = true

  /// A run of the counter on `count` lines.
  static func counter(
    _ count: Int, isFull: Bool = true, in folder: TemporaryFolder
  ) throws -> RunScenario {
    let input = folder.path("actions.ndjson")
    try CounterLog.writeLines(count, to: input)
    let template = folder.path("template.sqlite")
    try CounterLog.makeStore(at: template)
    return RunScenario(
      reactor: "counter", input: input, count: count, folder: folder, template: template,
      isFull: isFull)
  }

  /// Runs it once, leaves the store, and gives its path.
  func record(as name: String) throws -> String {
    let store = folder.path(name)
    try folder.copyStore(template, to: store)
    try run(store, emit: "none")
    return store
  }

  /// The subject: `refold run`.
  ///
  /// - Parameter check: throws unless the log is as it should be.
  func variant(
    _ name: String = "refold run", emit: String = "none",
    check: @escaping @MainActor (limit_log) throws -> Void
  ) -> Variant {
    Variant(name: name, count: count) {
      try sample(check) { try run($0, emit: emit) }
    }
  }

  /// A program that inserts rows with `insert`, given the path of a store.
  func variant(
    _ name: String, budget: Double? = nil,
    check: @escaping @MainActor (limit_log) throws -> Void,
    insert: @escaping @MainActor (String) throws -> Sample
  ) -> Variant {
    Variant(name: name, count: count, budget: budget) { try sample(check, insert) }
  }

  @discardableResult
  private func run(_ store: String, emit: String) throws -> Sample {
    try ChildProcess.run(
      ChildProcess.neighbour("refold"),
      ["run", reactor, "--session", "s1", "--input", input, "--emit", emit, "--store", store]
        + (isFull ? [] : ["--sync", "normal"]) + options)
  }

  /// Hands `body` a copy of the template, and looks at what its log is afterwards.
  private func sample(
    _ check: (limit_log) throws -> Void, _ body: (String) throws -> Sample
  ) throws -> Sample {
    let store = folder.path("run.sqlite")
    try folder.copyStore(template, to: store)
    defer { folder.removeStore(store) }
    var sample = try body(store)
    let log = try Limit.scan(store)
    try check(log)
    // Of what was there before, nothing is this sample's.
    sample.fileBytes = TemporaryFolder.bytes(of: store) - TemporaryFolder.bytes(of: template)
    sample.payloadBytes = Int(log.payload_bytes - (try Limit.scan(template).payload_bytes))
    return sample
  }
}

/// A log that others must be like, times left out.
struct ExpectedLog {
  let log: limit_log

  /// That of session 1 in the store at `path`.
  init(_ path: String) throws { log = try Limit.scan(path) }

  /// Throws unless `other` is like it.
  func check(_ other: limit_log) throws {
    guard other.rows == log.rows, other.checksum == log.checksum else {
      throw BenchError.wrongResult(
        "the log has \(other.rows) events with the checksum \(other.checksum), expected "
          + "\(log.rows) with \(log.checksum)")
    }
  }
}
