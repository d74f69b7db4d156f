/// What `init` writes: a package with a reactor, its tests, and the whole command line for it.
struct PackageTemplate: Sendable {
  let name: PackageName
  let refold: RefoldLocation

  /// A file of the package, its path from the package's folder.
  struct File: Sendable {
    let path: String
    let text: String
  }

  /// Everything, in the order in which people should read it.
  var files: [File] {
    [
      File(path: "README.md", text: readme),
      File(path: "Package.swift", text: manifest),
      File(path: "Sources/\(name)/\(name.reactorType).swift", text: reactor),
      File(path: "Sources/\(name)/main.swift", text: main),
      File(path: "Tests/\(name.testTarget)/\(name.reactorType)Tests.swift", text: tests),
      File(path: ".gitignore", text: ignored),
    ]
  }

  /// The commands to go on with.
  var nextSteps: [String] {
    [
      "cd \(name)",
      "swift test",
      #"echo '{"add":{"title":"Tea"}}' | swift run \#(name) run \#(name.reactor) --session s1"#,
      "swift run \(name) log s1",
    ]
  }
}

extension PackageTemplate {
  var main: String {
    """
    import Refold
    import RefoldTools

    Tool(reactors: [AnyReactor("things to remember") { _ in \(name.reactorType)() }]).main()

    """
  }

  var ignored: String {
    """
    /.build/
    /.swiftpm/
    *.sqlite
    *.sqlite-*

    """
  }

  var readme: String {
    #"""
    # \#(name)

    A reactor of [Refold](\#(refold.link)): actions go in, mutations come out and are kept, state is
    their fold.

    - `Sources/\#(name)/\#(name.reactorType).swift`: the reactor. Make it yours.
    - `Sources/\#(name)/main.swift`: the command line, one line.
    - `Tests/\#(name.testTarget)`: its tests, on a test store.

    ```
    swift test
    echo '{"add":{"title":"Tea"}}' | swift run \#(name) run \#(name.reactor) --session s1
    swift run \#(name) log s1
    swift run \#(name) replay s1
    swift run \#(name) help
    ```

    Sessions are kept in `./refold.sqlite`, or where `--store` or `$REFOLD_STORE` says.

    """#
  }
}
