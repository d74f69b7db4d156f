import BenchReport
import Testing

@Suite("The benchmarks' arguments")
struct ArgumentsTests {
  @Test func by_default_everything_is_measured_as_text() throws {
    let arguments = try Arguments([])
    #expect(arguments.task == .measure)
    #expect(arguments.format == .text)
    #expect(arguments.count == nil)
    #expect(arguments.choose(from: ["run", "fold"]) == ["run", "fold"])
  }

  @Test func a_filter_chooses_one_by_its_name_or_all_that_have_it_in_theirs() throws {
    let names = ["run", "run-normal", "batch-10", "batch-1"]
    #expect(try Arguments(["--filter", "batch"]).choose(from: names) == ["batch-10", "batch-1"])
    #expect(try Arguments(["--filter", "run"]).choose(from: names) == ["run"])
    let two = try Arguments(["--filter", "batch-1", "--filter", "normal"])
    #expect(two.choose(from: names) == ["run-normal", "batch-1"])
  }

  @Test func numbers_and_sizes_are_read() throws {
    let arguments = try Arguments([
      "--rounds", "9", "--count", "100", "--large", "--json", "--variant", "submit",
    ])
    #expect(arguments.rounds == 9)
    #expect(arguments.count == 100)
    #expect(arguments.isLarge)
    #expect(arguments.format == .json)
    #expect(arguments.variant == "submit")
  }

  @Test(arguments: [["--guard", "--update"], ["--update", "--guard"]])
  func the_guard_is_updated_in_whatever_order_it_is_asked_for(_ words: [String]) throws {
    #expect(try Arguments(words).task == .updateGuard)
    #expect(try Arguments(["--guard"]).task == .guardCounts)
  }

  @Test(arguments: [
    (["--rounds", "0"], "--rounds takes a number above 0, not \"0\""),
    (["--count"], "--count takes a value"), (["--fast"], "--fast is not known"),
  ])
  func what_is_wrong_is_said(_ words: [String], _ reason: String) throws {
    let error = #expect(throws: BenchError.self) { try Arguments(words) }
    #expect(error.map { "\($0)" } == reason + ". See refold-bench --help.")
  }
}
