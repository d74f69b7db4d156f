import EventStoreCore
import Foundation
import Refold
import SampleReactors
import Synchronization
import Testing

/// Runs actions through a session, and compares the state that was live after each event with what
/// the log folds into up to there.
///
/// The fold is that of a reactor made without settings, as `replay` and `export` make theirs.
struct FoldCheck {
  let entry: AnyReactor
  let settings: Settings
  /// Lines of input.
  let actions: [[UInt8]]

  /// How many states were compared, one a seq.
  func run() async throws -> Int {
    let reactor = try entry.make(settings)
    return try await run(reactor)
  }

  private func run<R: Reactor>(_ reactor: R) async throws -> Int {
    let store = InMemoryEventStore()
    let live = LiveStates(reactor)
    let published = PublishedStates<R>()
    var options = SessionOptions()
    options.actionsPerCommit = 1
    // Making a snapshot may reduce what was reduced before.
    options.foldID = { _ in nil }
    options.onCommit = { commit, _ in published.note(commit) }
    let session = try await Session.open(live, named: "s", in: store, options: options)
    published.session.withLock { $0 = session }
    for line in actions {
      let action = try EventCodec().decodeInputAction(R.Action.self, from: line)
      _ = try await session.send(action).finished
    }
    await session.finishEffects()
    try await session.close()
    return try compare(live, published, in: store)
  }

  private func compare<R: Reactor>(
    _ live: LiveStates<R>, _ published: PublishedStates<R>, in store: InMemoryEventStore
  ) throws -> Int {
    let plain = try #require(try entry.make() as? R)
    let past = try TimeMachine(plain, session: "s", in: store)
    var states = live.afterEachMutation[...]
    var latest = try EventCodec().encode(plain.initialState)
    let publications = published.states.withLock { $0 }
    var count = 0
    var resumed = ResumedFold(plain)
    try past.forEachStep(in: Seq(1)...(try past.lastSeq)) { header, payload, fold in
      if header.kind == .mutation {
        let next = states.popFirst()
        latest = try #require(next, "\(entry.name): \(header.seq) was never live")
      }
      let folded = text(try EventCodec().encode(fold.state))
      #expect(text(latest) == folded, "\(entry.name): live and folded differ at \(header.seq)")
      if let bytes = publications[header.seq] {
        #expect(text(bytes) == folded, "\(entry.name): published and folded differ")
      }
      #expect(
        text(try resumed.take(header, payload)) == folded,
        "\(entry.name): a fold that goes on from a snapshot differs at \(header.seq)")
      count += 1
    }
    #expect(states.isEmpty, "\(entry.name): \(states.count) live states are not in the log")
    #expect(live.afterEachMutation.count > 0 && publications.count >= actions.count)
    return count
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  /// The published states, by the last seq of the commit that published them.
  private final class PublishedStates<R: Reactor>: Sendable {
    let session = Mutex<Session<LiveStates<R>>?>(nil)
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

/// A fold that goes on from a snapshot of itself now and then, as one does that begins with one.
private struct ResumedFold<R: Reactor> {
  private var fold: Fold<R>
  private let codec = EventCodec()

  init(_ reactor: R) { fold = Fold(reactor, session: "s") }

  /// Folds in the next event, and gives the state's JSON.
  mutating func take(_ header: EventHeader, _ payload: RawSpan) throws -> [UInt8] {
    try fold.apply(header, payload)
    let bytes = try codec.encode(fold.state)
    guard header.seq.rawValue % 3 == 0 else { return bytes }
    #expect(
      StateFidelity.holds(fold.state, as: bytes, codec),
      "\(R.name): the state at \(header.seq) does not come back from its JSON")
    fold = Fold(
      fold.reactor, session: fold.session, state: try codec.decode(R.State.self, from: bytes),
      seq: fold.seq, recordedAt: fold.recordedAt)
    return bytes
  }
}
