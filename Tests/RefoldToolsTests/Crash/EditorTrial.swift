import EventStoreCore
import EventStoreSQLite
import EventStoreTesting
import Foundation

/// A text that is replaced again and again, so that snapshots are taken and the WAL is written back
/// while a run goes on, and is killed.
struct EditorTrial {
  private let shell: Shell
  private let tally: Tally
  private var random: SeededGenerator
  private let actions: [String]
  private let texts: [String]

  private static let kills = 4

  init(_ seed: UInt64, _ tally: Tally) throws {
    self.tally = tally
    shell = try Shell()
    var random = SeededGenerator(seed: seed)
    let count = 1500 + random.below(1500)
    texts = (0..<count).map { "\($0)-" + String(repeating: "x", count: 900 + $0 % 7 * 300) }
    actions = texts.indices.map { [texts] index in
      let length = index == 0 ? 0 : texts[index - 1].utf8.count
      return "{\"edit\":{\"at\":0,\"delete\":\(length),\"insert\":\"\(texts[index])\"}}"
    }
    self.random = random
  }

  mutating func run() throws {
    for _ in 0..<Self.kills {
      let left = try Array(actions[count()...])
      if left.isEmpty { break }
      // It cannot have taken more than it was sent.
      let child = try start(.open)
      let sent = random.chance(0.2) ? left.count : 1 + random.below(left.count)
      child.send(left[..<sent].joined(separator: "\n") + "\n")
      if sent == left.count { child.endInput() }
      try child.read(lines: sent - random.below(min(sent, 100)))
      child.read(microseconds: random.below(8000))
      let ending = try child.kill9()
      tally.add("kills", ending == .signal(SIGKILL) ? 1 : 0)
      let said = child.lines.count
      try require(try count() >= actions.count - left.count + said, "\(said) acks, and some lost")
      try noteFiles()
      try verify()
    }
    let text = try actions[count()...].joined(separator: "\n") + "\n"
    let last = try start(.file(shell.write(text, to: "input")))
    let ending = try last.wait()
    try require(ending == .code(0), "the run after the kills: \(ending), \(last.errorText)")
    let done = try count()
    try require(done == actions.count, "\(done) of \(actions.count) actions")
    try verify()
    let export = try Child(["export", "s", "--store", shell.store], errors: shell.path("errors"))
    _ = try export.wait()
    try require(
      export.lines.first?.contains(texts[texts.count - 1]) == true, "the state is another")
    for what in ["lost", "wrong snapshots"] { tally.add(what, 0) }
  }

  private func start(_ input: Child.Input) throws -> Child {
    try Child(
      ["run", "editor", "--session", "s", "--emit", "acks", "--batch", "64"]
        + ["--store", shell.store], input: input, errors: shell.path("errors"))
  }

  /// How many actions the log has, each with its mutation.
  private func count() throws -> Int {
    guard let log = try RecordedLog.all(in: shell.store)["s"] else { return 0 }
    try require(log.events.count.isMultiple(of: 2), "half a step")
    for index in stride(from: 0, to: log.events.count, by: 2) {
      let (action, mutation) = (log.events[index], log.events[index + 1])
      try require(
        action.text == actions[index / 2] && mutation.header.cause == action.header.seq
          && mutation.text
            == action.text.replacing("{\"edit\"", with: "{\"splice\"", maxReplacements: 1),
        "step \(index / 2) is another")
    }
    return log.events.count / 2
  }

  /// The tool folds the log, and compares the snapshots with that.
  private func verify() throws {
    let verify = try Child(["verify", "--store", shell.store], errors: shell.path("errors"))
    let ending = try verify.wait()
    try require(ending == .code(0), "verify: \(ending), \(verify.lines), \(verify.errorText)")
  }

  private func noteFiles() throws {
    let size = { (path: String) in
      (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    }
    let store = try SQLiteEventStore(path: shell.store, options: .init(access: .readOnly))
    defer { try? store.close() }
    guard let session = try store.sessions().first else { return }
    let hasSnapshot = try store.nextSnapshot(of: session.id, after: nil) != nil
    tally.add("kills after a snapshot", hasSnapshot ? 1 : 0)
    // One page is made when the store is.
    tally.add("kills after the WAL was written back", size(shell.store) > 1 << 17 ? 1 : 0)
    tally.add("kills that left a WAL", size(shell.store + "-wal") > 0 ? 1 : 0)
  }
}
