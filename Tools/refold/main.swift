import Refold
import RefoldTools
import SampleReactors

Tool(
  name: "refold",
  reactors: [
    AnyReactor("the smallest reactor: a number") { _ in CounterReactor() },
    AnyReactor("a text, edited by offsets in Unicode scalars") { _ in EditorReactor() },
  ]
).main()
