import EventStoreCore
import Foundation
import Refold
import SampleReactors
import Synchronization
import Testing

/// Runs actions through a session, and compares the state that was live after each commit with
/// what the log folds into.
///
/// The fold is that of a reactor made without settings, as `replay` and `export` make theirs.
struct FoldCheck {
  let entry: AnyReactor
  let settings: Settings
  /// Lines of input.
  let actions: [[UInt8]]

  /// How many states were compared.
  func run() async throws -> Int {
    let reactor = try entry.make(settings)
    return try await run(reactor)
  }

  private func run<R: Reactor>(_ reactor: R) async throws -> Int {
    let store = InMemoryEventStore()
    let watch = Watch<R>()
    var options = SessionOptions()
    options.actionsPerCommit = 1
    options.onCommit = { commit, _ in watch.note(commit) }
    let session = try await Session.open(reactor, named: "s", in: store, options: options)
    watch.session.withLock { $0 = session }
    for line in actions {
      let action = try EventCodec().decodeInputAction(R.Action.self, from: line)
      _ = try await session.send(action).finished
    }
    await session.finishEffects()
    try await session.close()
    try compare(watch.states.withLock { $0 }, R.self, in: store)
    return watch.states.withLock { $0.count }
  }

  private func compare<R: Reactor>(
    _ live: [Seq: [UInt8]], _ type: R.Type, in store: InMemoryEventStore
  ) throws {
    let plain = try #require(try entry.make() as? R)
    let past = try TimeMachine(plain, session: "s", in: store)
    for number in 0...(try past.lastSeq.rawValue) {
      let seq = Seq(number)
      let folded = try EventCodec().encode(try past.state(at: seq))
      guard let bytes = live[seq] else { continue }
      #expect(
        String(decoding: bytes, as: UTF8.self) == String(decoding: folded, as: UTF8.self),
        "\(entry.name): live and folded state differ at \(seq)")
    }
  }

  /// The live states, by the last seq of the commit that published them.
  private final class Watch<R: Reactor>: Sendable {
    let session = Mutex<Session<R>?>(nil)
    let states = Mutex<[Seq: [UInt8]]>([:])

    func note(_ commit: Commit) {
      guard let state = session.withLock({ $0?.currentState }) else { return }
      do {
        let bytes = try EventCodec().encode(state)
        states.withLock { $0[commit.lastSeq] = bytes }
      } catch {
        Issue.record("the state at \(commit.lastSeq) cannot be encoded: \(error)")
      }
    }
  }
}

extension FoldCheck {
  /// The example actions of `entry`, without settings.
  static func examples(of entry: AnyReactor) -> FoldCheck {
    FoldCheck(entry: entry, settings: Settings(), actions: entry.exampleActions)
  }

  /// The golden sessions of `entry`, with their settings.
  static func golden(of entry: AnyReactor) throws -> [FoldCheck] {
    let samples = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("RefoldToolsTests/Samples")
    return try FileManager.default.contentsOfDirectory(atPath: samples.path).sorted()
      .filter { $0.prefix { $0 != "." } == entry.name }
      .map { try golden(of: entry, in: samples.appendingPathComponent($0)) }
  }

  private static func golden(of entry: AnyReactor, in folder: URL) throws -> FoldCheck {
    let input = try Data(contentsOf: folder.appendingPathComponent("actions.ndjson"))
    let words = try? String(contentsOf: folder.appendingPathComponent("arguments"), encoding: .utf8)
    var values: [String: String] = [:]
    for word in (words ?? "").split(whereSeparator: \.isWhitespace) where word.contains("=") {
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      values[parts[0]] = parts.count > 1 ? parts[1] : ""
    }
    return FoldCheck(
      entry: entry, settings: Settings(values),
      actions: input.split(separator: UInt8(ascii: "\n")).map(Array.init))
  }
}
