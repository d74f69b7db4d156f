import RefoldTools
import SampleReactors

/// What the benchmarks run as a process of its own: a piece of work whose instructions are counted,
/// or the command line, as a tool of one's own has it.
@main
enum WorkCommand {
  static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    guard words.first == "work" else {
      Tool(name: "refold", reactors: sampleReactors()).main()
    }
    Work.perform(Array(words.dropFirst()))
  }
}
