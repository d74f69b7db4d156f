import Refold
import RefoldTools
import SampleReactors

/// The executable of the README.
private func executable() -> Never {
  Tool(reactors: [AnyReactor("a number that goes up") { _ in CounterReactor() }]).main()
}
