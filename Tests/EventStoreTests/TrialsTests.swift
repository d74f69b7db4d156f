import EventStoreTesting
import Testing

@Suite("Trials")
struct TrialsTests {
  @Test func a_broken_promise_is_told_with_its_seed_and_how_to_run_it_alone() async throws {
    let trials = Trials(inSuite: 5, long: 5)
    let last = try #require(trials.seeds.last)
    let failure = await #expect(throws: TrialFailure.self) {
      try await trials.run(test: "some_test()") { seed in
        try require(seed != last, "it went wrong")
      }
    }
    #expect(
      failure?.description == """
        seed \(last): it went wrong
        Run it alone: REFOLD_SEED=\(last) Tools/test --filter some_test
        """)
  }

  @Test func parts_of_them_are_all_of_them() {
    let trials = Trials(inSuite: 7, long: 7)
    let parts = (0..<3).map { trials.part($0, of: 3).seeds }
    #expect(parts.flatMap(\.self).sorted() == trials.seeds)
  }
}
