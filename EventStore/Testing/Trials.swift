import Foundation

/// The seeds that a randomized test tries: a sample in `Tools/test`, all of them in `Tools/test
/// --long`, one with `REFOLD_SEED`.
///
///     @Test func a_power_cut_loses_nothing() async throws {
///       try await Trials(inSuite: 200, long: 20_000).run { seed in
///         ...
///       }
///     }
package struct Trials: Sendable {
  /// Whether `Tools/test --long` runs.
  package static let isLong = ProcessInfo.processInfo.environment["REFOLD_LONG"] != nil

  /// A limit for a test of so many minutes in `Tools/test`: of hours with `--long`.
  package static func minutes(_ inSuite: Int) -> Int { isLong ? 360 : inSuite }

  /// The seeds, in the order in which they are tried.
  package let seeds: [UInt64]

  /// As many seeds as the run asks for, from 1 on.
  package init(inSuite: Int, long: Int) {
    let chosen = ProcessInfo.processInfo.environment["REFOLD_SEED"].flatMap(UInt64.init)
    let count = UInt64(max(1, Self.isLong ? long : inSuite))
    seeds = chosen.map { [$0] } ?? Array(1...count)
  }

  private init(seeds: [UInt64]) { self.seeds = seeds }

  /// Every `count`th of the seeds, from the one at `index` on: for as many tests that run side by side.
  package func part(_ index: Int, of count: Int) -> Trials {
    Trials(seeds: stride(from: index, to: seeds.count, by: count).map { seeds[$0] })
  }

  /// Calls `body` with each seed, one after the other, on a thread that may wait and compute for as
  /// long as it likes: the tests around it go on.
  ///
  /// `body` reports by throwing: an expectation in it would not know which test it belongs to.
  /// - Throws: `TrialFailure` for the first seed for which `body` throws.
  package func run(
    file: String = #fileID, test: String = #function,
    _ body: @escaping @Sendable (UInt64) throws -> Void
  ) async throws {
    let name = String(test.prefix { $0 != "(" })
    try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Void, any Error>) in
      let thread = Thread {
        ended.resume(
          with: Result {
            for seed in seeds {
              do { try body(seed) } catch {
                throw TrialFailure(seed: seed, test: name, reason: error)
              }
            }
          })
      }
      thread.name = name
      thread.stackSize = 8 << 20
      thread.start()
    }
  }
}

/// A seed for which a promise was broken, and how to run it alone.
package struct TrialFailure: Error, CustomStringConvertible {
  package let seed: UInt64
  package let test: String
  package let reason: any Error

  package var description: String {
    "seed \(seed): \(reason)\nRun it alone: REFOLD_SEED=\(seed) Tools/test --filter \(test)"
  }
}

/// What a trial throws when a promise was broken.
package struct BrokenPromise: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

/// Throws `BrokenPromise` unless `isKept`.
package func require(_ isKept: Bool, _ otherwise: @autoclosure () -> String) throws {
  if !isKept { throw BrokenPromise(otherwise()) }
}
