import RefoldTools
import SampleReactors

Tool(name: "refold", reactors: sampleReactors()).main()
