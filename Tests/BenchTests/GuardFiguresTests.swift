import BenchReport
import Foundation
import Testing

@Suite("The guard's figures")
struct GuardFiguresTests {
  private let figures = GuardFigures(["Swift 1": ["fold": 1000, "open": 10, "run": 500]])

  @Test func a_count_is_held_to_the_figure_of_the_same_compiler() {
    let counts = ["fold": 1029.0, "open": 11, "run": 400, "seek": 3]
    let outcomes = figures.compare(counts, key: "Swift 1", tolerance: 0.03).map(\.outcome)
    #expect(outcomes == [.same, .more, .less, .new])
    let others = figures.compare(counts, key: "Swift 2", tolerance: 0.03).map(\.outcome)
    #expect(others == [.new, .new, .new, .new])
  }

  @Test func a_comparison_says_by_how_much() {
    let lines = figures.compare(["run": 525], key: "Swift 1", tolerance: 0.03).map(\.text)
    #expect(lines == ["MORE    run: 525 instructions, 500 written down, +5.0 %"])
  }

  @Test func they_come_back_from_their_file() throws {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("guard-\(UUID().uuidString).json").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(try GuardFigures(path: path) == GuardFigures())
    try figures.json().write(toFile: path, atomically: true, encoding: .utf8)
    #expect(try GuardFigures(path: path) == figures)
    try "[]".write(toFile: path, atomically: true, encoding: .utf8)
    #expect(throws: BenchError.self) { try GuardFigures(path: path) }
  }
}
