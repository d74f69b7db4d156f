import EventStoreSQLite
import Refold
import SampleReactors

/// A real document typed again: a state of a hundred thousand characters, edited in place.
struct EditorBenchmark: Benchmark {
  static let name = "editor"
  static let summary =
    "refold run editor --emit none, the keystrokes of a whole paper, synchronous FULL"
  static let operation = "edit"
  static let counts = Counts(usual: Paper.edits)

  let variants: [Variant]

  init(count: Int, in folder: TemporaryFolder) async throws {
    let paper = try Paper(count, in: folder)
    let template = folder.path("template.sqlite")
    try CounterLog.makeStore(at: template, reactor: EditorReactor.name)
    let scenario = RunScenario(
      reactor: "editor", input: paper.input, count: paper.count, folder: folder,
      template: template)
    let recorded = try scenario.record(as: "expected.sqlite")
    let store = try SQLiteEventStore(path: recorded, options: .init(access: .readOnly))
    let machine = try TimeMachine(EditorReactor(), session: "s1", in: store)
    try paper.check(machine.state(at: machine.lastSeq))
    try store.close()
    let expected = try ExpectedLog(recorded)
    let rows = try LimitRows(of: recorded)
    variants = [
      scenario.variant(check: expected.check),
      scenario.variant("C, SQLite only", budget: 0.4, check: expected.check) {
        try rows.insert(into: $0)
      },
    ]
  }
}
