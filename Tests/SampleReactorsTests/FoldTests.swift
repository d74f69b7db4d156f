import SampleReactors
import Testing

@Suite("The fold of every sample", .timeLimit(.minutes(5)))
struct FoldTests {
  @Test(arguments: sampleReactors().map(\.name))
  func equals_the_live_state_at_every_seq(_ name: String) async throws {
    let entry = try #require(sampleReactors().first { $0.name == name })
    #expect(try await FoldCheck.examples(of: entry).run() >= entry.exampleActions.count)
    for check in try FoldCheck.golden(of: entry) {
      #expect(try await check.run() >= check.actions.count)
    }
  }
}
