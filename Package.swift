// swift-tools-version: 6.2
import PackageDescription

// Tools/fuzz alone builds for libFuzzer: the default build needs none, and has none of it.
let isFuzzing = Context.environment["REFOLD_FUZZ"] != nil

/// What the fuzzed inputs must come to: tests of the suite, or a library that libFuzzer drives.
let fuzzedModules: [Target.Dependency] = [
  "EventStoreCore", "EventStoreSQLite", "EventStoreTesting", "JSONTree", "MarketServer", "Refold",
  "RefoldTools", "SampleReactors", "Sections",
]
let fuzzing: [Target] =
  isFuzzing
  ? [
    .target(
      name: "FuzzProperties", dependencies: fuzzedModules, path: "Tests/FuzzTests/Properties"),
    .target(name: "CFuzzer", path: "Tests/FuzzDriver/CFuzzer"),
    .executableTarget(
      name: "refold-fuzz", dependencies: ["CFuzzer", "FuzzProperties"],
      path: "Tests/FuzzDriver/Driver"),
  ]
  : [.testTarget(name: "FuzzTests", dependencies: fuzzedModules)]

let package = Package(
  name: "refold",
  products: [
    .library(name: "Refold", targets: ["Refold"]),
    .library(name: "EventStoreCore", targets: ["EventStoreCore"]),
    .library(name: "EventStoreSQLite", targets: ["EventStoreSQLite"]),
    .library(name: "EventStoreTesting", targets: ["EventStoreTesting"]),
    .library(name: "JSONTree", targets: ["JSONTree"]),
    .library(name: "Sections", targets: ["Sections"]),
    .library(name: "RefoldTesting", targets: ["RefoldTesting"]),
    .library(name: "RefoldTools", targets: ["RefoldTools"]),
    .executable(name: "refold", targets: ["refold"]),
    .executable(name: "market-server", targets: ["market-server"]),
  ],
  targets: [
    // Storage: knows events as bytes, never a reactor.
    .systemLibrary(
      name: "CSQLite", path: "EventStore/CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"])]),
    .target(name: "CSHA256", path: "EventStore/CSHA256"),
    .target(name: "EventStoreCore", dependencies: ["CSHA256"], path: "EventStore/Core"),
    .target(
      name: "EventStoreSQLite", dependencies: ["EventStoreCore", "CSQLite"],
      path: "EventStore/SQLite"),
    .target(
      name: "EventStoreTesting", dependencies: ["EventStoreCore"], path: "EventStore/Testing"),
    // A disk that fails and loses its power, for the tests of the store.
    .target(name: "CFaultyVFS", dependencies: ["CSQLite"], path: "EventStore/CFaultyVFS"),
    .target(
      name: "FaultyDisk", dependencies: ["CFaultyVFS", "EventStoreTesting"],
      path: "EventStore/FaultyDisk"),

    // The runtime: knows reactors, never a terminal, never SQL.
    .target(name: "JSONTree"),
    .target(name: "Refold", dependencies: ["EventStoreCore", "JSONTree"]),
    .target(name: "RefoldTesting", dependencies: ["Refold", "EventStoreCore", "JSONTree"]),
    .target(name: "Sections"),
    .target(name: "SampleReactors", dependencies: ["Refold", "Sections"]),
    // The samples' services over HTTP, apart: nothing else links FoundationNetworking.
    .target(name: "SampleHTTP", dependencies: ["SampleReactors", "Refold"]),

    // Everything with a face.
    .target(
      name: "RefoldTools", dependencies: ["Refold", "EventStoreSQLite", "JSONTree", "Sections"],
      path: "Tools/RefoldTools",
      // In the code, so that the command line stays one file, in a user's own package too.
      resources: [.embedInCode("Page/Browser")]),
    .executableTarget(
      name: "refold", dependencies: ["RefoldTools", "SampleReactors", "SampleHTTP"],
      path: "Tools/refold"),

    // The API that the samples speak to, with its errors and delays: for tests, and for people.
    .target(
      name: "MarketServer", dependencies: ["SampleReactors", "Refold"], path: "Tools/MarketServer"),
    .executableTarget(
      name: "market-server", dependencies: ["MarketServer"], path: "Tools/MarketServerCommand"),

    // Benchmarks: refold is a dependency so that it is built, and measured as a process.
    .target(name: "CAllocations", path: "Tools/bench/CAllocations"),
    .target(name: "CLimit", dependencies: ["CSQLite"], path: "Tools/bench/CLimit"),
    .target(name: "CValgrind", path: "Tools/bench/CValgrind"),
    .target(name: "BenchReport", path: "Tools/bench/Report"),
    .executableTarget(
      name: "refold-bench-work",
      dependencies: [
        "CValgrind", "EventStoreCore", "EventStoreSQLite", "Refold", "RefoldTools",
        "SampleReactors",
      ],
      path: "Tools/bench/Work"),
    .executableTarget(
      name: "refold-bench",
      dependencies: [
        "BenchReport", "CAllocations", "CLimit", "EventStoreCore", "EventStoreSQLite", "Refold",
        "SampleReactors", "refold", "refold-bench-work",
      ],
      path: "Tools/bench",
      exclude: [
        "CAllocations", "CLimit", "CValgrind", "Report", "Work", "README.md", "guard.json",
        "profile",
        "python", "run",
      ]),

    // Tests: one folder a module.
    .testTarget(
      name: "EventStoreTests",
      dependencies: ["EventStoreCore", "EventStoreSQLite", "EventStoreTesting", "FaultyDisk"]),
    .testTarget(name: "JSONTreeTests", dependencies: ["JSONTree", "EventStoreTesting"]),
    .testTarget(
      name: "RefoldTests",
      dependencies: [
        "Refold", "RefoldTesting", "JSONTree", "EventStoreSQLite", "EventStoreTesting",
        "FaultyDisk",
      ]),
    .testTarget(
      name: "RefoldTestingTests",
      dependencies: ["RefoldTesting", "Refold", "Sections", "SampleReactors", "EventStoreSQLite"],
      exclude: ["Recorded"]),
    .testTarget(name: "SectionsTests", dependencies: ["Sections", "EventStoreTesting"]),
    .testTarget(
      name: "SampleReactorsTests",
      dependencies: [
        "SampleReactors", "Refold", "Sections", "EventStoreCore", "EventStoreTesting",
      ]),
    .testTarget(
      name: "SampleHTTPTests",
      dependencies: [
        "SampleHTTP", "MarketServer", "SampleReactors", "Refold", "EventStoreCore",
      ]),
    .testTarget(
      name: "RefoldToolsTests",
      dependencies: [
        "RefoldTools", "SampleReactors", "MarketServer", "EventStoreSQLite", "EventStoreTesting",
        "JSONTree", "refold",
      ],
      exclude: ["Golden", "Samples"]),
    .testTarget(name: "BenchTests", dependencies: ["BenchReport", "refold-bench"]),
    .testTarget(name: "TidyTests"),
  ] + fuzzing,
  swiftLanguageModes: [.v6]
)
