import EventStoreTesting
import Foundation
import Testing

/// What libFuzzer found worth keeping, and what it broke, is tried again in every run; so are changes
/// of it by seed. `Tools/fuzz` goes on from there.
@Suite("Whatever comes in", .timeLimit(.minutes(Trials.minutes(10))))
struct CorpusTests {
  @Test("what was kept of each input holds", arguments: FuzzTarget.all.map(\.name))
  func corpus(_ name: String) async throws {
    let target = try #require(FuzzTarget.named(name))
    let inputs = try Corpus.inputs(of: name)
    #expect(!inputs.isEmpty, "Tests/Corpus/\(name) is empty")
    #expect(inputs.count <= Corpus.mostFiles, "Tests/Corpus/\(name) has \(inputs.count) files")
    // On a thread of its own, with room to recurse and to wait.
    try await Trials(inSuite: 1, long: 1).run { _ in
      for input in inputs { try target.check(named: input.name, input.bytes) }
    }
  }

  @Test("and so does what is made of it by seed", arguments: FuzzTarget.all.map(\.name))
  func mutations(_ name: String) async throws {
    let target = try #require(FuzzTarget.named(name))
    let inputs = try Corpus.inputs(of: name).map(\.bytes)
    let tried = Count()
    try await Trials(inSuite: 400 / target.cost, long: 40_000 / target.cost).run { seed in
      var random = SeededGenerator(seed: seed)
      let input = random.mutated(inputs, longest: target.longest)
      try target.check(input)
      tried.add(input.count)
    }
    Figures.note(
      "Input", "mutations of Tests/Corpus/\(name)",
      [("inputs", tried.inputs), ("bytes", tried.bytes), ("crashes", 0)])
  }
}

extension FuzzTarget {
  /// - Throws: `BrokenPromise`, which names the input.
  fileprivate func check(named input: String, _ bytes: [UInt8]) throws {
    do { try check(bytes) } catch { throw BrokenPromise("Tests/Corpus/\(name)/\(input): \(error)") }
  }
}

/// Belongs to the one thread of a trial.
private final class Count: @unchecked Sendable {
  private(set) var (inputs, bytes) = (0, 0)

  func add(_ count: Int) { (inputs, bytes) = (inputs + 1, bytes + count) }
}

/// The inputs in Tests/Corpus.
enum Corpus {
  static let mostFiles = 200

  static func inputs(of target: String) throws -> [(name: String, bytes: [UInt8])] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Corpus/\(target)")
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map {
      ($0, Array(try Data(contentsOf: folder.appending(path: $0))))
    }
  }
}
