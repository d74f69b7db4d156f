import BenchReport
import Testing

@Suite("The benchmarks' arguments")
struct ArgumentsTests {
  @Test func by_default_everything_is_measured_as_text() throws {
    let arguments = try Arguments([])
    #expect(arguments.task == .measure)
    #expect(arguments.format == .text)
    #expect(arguments.count == nil)
    #expect(arguments.choose("run"))
  }

  @Test func a_filter_chooses_by_a_part_of_the_name_and_may_be_repeated() throws {
    let arguments = try Arguments(["--filter", "batch", "--filter", "fold"])
    #expect(arguments.choose("batch-10"))
    #expect(arguments.choose("fold-paper"))
    #expect(!arguments.choose("run"))
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
