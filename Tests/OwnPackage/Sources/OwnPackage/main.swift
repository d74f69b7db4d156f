import Refold
import RefoldTools

Tool(reactors: [AnyReactor("things to remember") { _ in OwnPackageReactor() }]).main()
