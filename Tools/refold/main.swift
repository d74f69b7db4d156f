import RefoldTools
import SampleHTTP
import SampleReactors

Tool(name: "refold", reactors: sampleReactors(remote: HTTPServices())).main()
