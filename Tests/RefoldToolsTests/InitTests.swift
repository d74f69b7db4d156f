import Foundation
import Testing

@testable import RefoldTools

@Suite("A package of a user's own", .serialized)
struct InitTests {
  let shell: Shell

  init() throws { shell = try Shell() }

  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Tests/OwnPackage is what `init` writes, kept so that people can read it, and built by
  /// Tools/test.
  @Test func is_written_as_it_stands_in_the_tests() async throws {
    let made = try await shell.bash(
      """
      mkdir -p checkout/Tests && ln -s '\(Self.root.path)/Package.swift' checkout && cd checkout/Tests
      refold init OwnPackage --refold ..
      """)
    #expect(made.code == 0, "\(made.error)")
    let written = shell.folder.appendingPathComponent("checkout/Tests/OwnPackage")
    let kept = Self.root.appendingPathComponent("Tests/OwnPackage")
    if ProcessInfo.processInfo.environment["REFOLD_UPDATE_GOLDEN"] != nil {
      try? FileManager.default.removeItem(at: kept)
      try FileManager.default.copyItem(at: written, to: kept)
    }
    let files = try Self.files(below: written)
    #expect(try files == Self.files(below: kept), "if that is meant: REFOLD_UPDATE_GOLDEN=1")
    #expect(files.count == 6)
    for path in files.keys { #expect(made.output.contains("  OwnPackage/\(path)\n")) }
    let reactor = try #require(files["Sources/OwnPackage/OwnPackageReactor.swift"])
    #expect(reactor.split(separator: "\n", omittingEmptySubsequences: false).count <= 60)
  }

  @Test(.enabled(if: Self.swiftIsThere, "there is no swift on the PATH"), .timeLimit(.minutes(15)))
  func builds_passes_its_tests_and_has_the_whole_command_line() async throws {
    let made = try await shell.refold("init", "shopping-list")
    #expect(made.code == 0, "\(made.error)")
    let tested = try await shell.bash(
      "cd shopping-list && timeout 800 swift test --scratch-path '\(Self.scratch)' 2>&1")
    try #require(tested.code == 0, "\(tested.output)")
    #expect(tested.output.contains("Test run with 3 tests in 1 suite passed"))

    let tool = "\(Self.scratch)/debug/shopping-list"
    let session = try await shell.bash(
      """
      own() { '\(tool)' "$@"; }
      set -e
      printf '{"add":{"title":"Tea"}}\\n"suggest"\\n' | own run shopping-list --session s1 --emit none
      own log s1 --json | wc -l
      own replay s1 --emit states | tail -n 1
      own show s1 2 --json > /dev/null; own sessions > /dev/null
      own diff s1 0 2
      own export s1 --as log | own import - --session s2
      own verify
      own reactors | head -n 1
      own help run | grep usage
      own help init | grep -e '--refold' -e 'init shopping-list --'
      """)
    #expect(session.code == 0, "\(session.error)")
    #expect(
      session.lines.map(DocumentationTests.withoutMoment) == [
        "8",
        #"{"seq":8,"state":{"error":{"count":0,"value":null},"isSuggesting":false,"#
          + #""titles":["Tea","Milk"]}}"#,
        #"+ /titles/0: "Tea""#,
        "imported session s2: 8 events, digest DIGEST",
        "ok: 2 sessions, 16 events",
        "shopping-list  things to remember",
        "usage: shopping-list run REACTOR [options]",
        "has every command of this tool. --refold says where it finds Refold: a folder of any name, or",
        "  --refold WHERE  a path or URL (default where this tool was built from)",
        "  shopping-list init shopping-list --refold ../refold",
      ])
    let linked = try await shell.bash("ldd '\(tool)'")
    #expect(linked.output.contains("libFoundation.so"))
    #expect(!linked.output.contains("FoundationNetworking"))
  }

  /// The commands of docs/GettingStarted.md, one after the other as a reader types them, print what
  /// the page shows.
  @Test(.enabled(if: Self.swiftIsThere, "there is no swift on the PATH"), .timeLimit(.minutes(15)))
  func is_made_in_five_minutes_by_the_page_that_says_so() async throws {
    let page = Self.root.appendingPathComponent("docs/GettingStarted.md")
    let examples = DocumentationTests.examples(in: try String(contentsOf: page, encoding: .utf8))
    try #require(examples.count >= 10)
    let result = try await shell.bash(
      """
      unset REFOLD_STORE
      swift() { timeout 800 "$(type -P swift)" "$1" --scratch-path '\(Self.scratch)' "${@:2}"; }
      """ + examples.map { "\n\($0.command) || exit; echo '\(Self.mark)'" }.joined())
    #expect(result.code == 0, "\(result.error)")
    let outputs = result.lines.split(separator: Self.mark, omittingEmptySubsequences: false)
    #expect(outputs.count >= examples.count)
    for (example, output) in zip(examples, outputs) where !example.output.isEmpty {
      #expect(output.map(Self.plain) == example.output.map(Self.plain), "$ \(example.command)")
    }
  }

  @Test func is_not_written_over_what_is_there() async throws {
    try await shell.bash("mkdir full empty && touch full/x file")
    for (name, reason) in [("full", "not empty"), ("file", "no folder")] {
      let result = try await shell.refold("init", name)
      #expect(result.code == 65)
      #expect(result.error.contains(reason))
    }
    #expect(try await shell.bash("ls -A full").lines == ["x"])
    let made = try await shell.refold("init", "empty", "--json")
    #expect(made.code == 0)
    #expect(try (made.object()["files"] as? [String])?.count == 6)
  }

  @Test(arguments: [
    ("", "letters and digits"), ("a b", "letters and digits"), ("1x", "a letter first"),
    ("x-", "single dashes"), ("x--y", "single dashes"), ("../x", "letters and digits"),
    ("äh", "ASCII"), ("class", "a word of the Swift language"), ("Refold", "a module"),
    ("TodoReactor", "leave the ending out"), (String(repeating: "x", count: 51), "longer than 50"),
  ])
  func needs_a_name_that_Swift_can_live_with(_ name: String, _ reason: String) async throws {
    let result = try await shell.refold("init", name)
    #expect(result.code == 64)
    #expect(result.error.contains(reason), "\(result.error)")
    #expect(result.error.contains("shopping-list"), "\(result.error)")
  }

  @Test func cannot_be_called_what_the_folder_of_Refold_is_called() async throws {
    let name = Self.root.lastPathComponent
    guard (try? PackageName(name)) != nil else { return }
    let result = try await shell.refold("init", name, "--refold", Self.root.path)
    #expect(result.code == 64)
    #expect(result.error.contains("Take another name"))
  }

  @Test func names_everything_after_the_package() throws {
    let kebab = try PackageName("shopping-list")
    let camel = try PackageName("shoppingList")
    for name in [kebab, camel, try PackageName("ShoppingList")] {
      #expect(name.reactorType == "ShoppingListReactor")
      #expect(name.testTarget == "ShoppingListTests")
      #expect(name.reactor == "shopping-list")
    }
    #expect(kebab.module == "shopping_list")
    #expect(camel.module == "shoppingList")
  }
}

extension InitTests {
  @Test func finds_Refold_at_a_path_whatever_its_folder_is_called() async throws {
    try await shell.bash("ln -s '\(Self.root.path)' 'a \"checkout\"'")
    let made = try await shell.refold("init", "todo", "--refold", "./a \"checkout\"")
    #expect(made.code == 0, "\(made.error)")
    let manifest = String(decoding: try shell.read("todo/Package.swift"), as: UTF8.self)
    #expect(
      manifest.contains(#"[.package(name: "refold", path: "../a \"checkout\"")]"#), "\(manifest)")
    #expect(manifest.contains(#".product(name: "RefoldTools", package: "refold")"#))
    let nowhere = try await shell.refold("init", "other", "--refold", "nowhere")
    #expect(nowhere.code == 66)
    #expect(nowhere.error.contains("there is no Refold at nowhere"))
  }

  @Test(arguments: [
    ("https://example.com/me/Refold-Lib.git", "Refold-Lib"), ("file:///srv/refold/", "refold"),
    ("git@example.com:refold.git", "refold"), ("ssh://git@example.com/a/b/c", "c"),
  ])
  func finds_Refold_at_a_URL(_ url: String, _ package: String) async throws {
    let made = try await shell.refold("init", "todo", "--refold", url)
    #expect(made.code == 0, "\(made.error)")
    let manifest = String(decoding: try shell.read("todo/Package.swift"), as: UTF8.self)
    #expect(manifest.contains(#"[.package(url: "\#(url)", branch: "main")]"#))
    #expect(manifest.contains(#".product(name: "Refold", package: "\#(package)")"#))
  }

  @Test func asks_where_Refold_is_when_the_tool_has_been_moved_away_from_it() throws {
    let here = Self.root.appendingPathComponent("Tools/RefoldTools/Templates/X.swift").path
    #expect(try RefoldLocation.ofThisTool(source: here).dependency.contains(Self.root.path))
    for (source, reason) in [
      ("/gone/Tools/RefoldTools/Templates/X.swift", "is not there any more"),
      (
        "/own/.build/checkouts/refold/Tools/RefoldTools/Templates/X.swift", "belongs to the package"
      ),
    ] {
      let failure = #expect(throws: Failure.self) {
        try RefoldLocation.ofThisTool(source: source)
      }
      #expect(failure?.code == .usage)
      #expect(failure?.message.contains(reason) == true)
      #expect(failure?.message.contains("--refold PATH or --refold URL") == true)
    }
  }

  /// Shared with the build of Tests/OwnPackage, so that Refold is not built once more.
  private static let scratch = root.appendingPathComponent(".build/own-package").path

  /// Stands between the outputs of two commands.
  private static let mark = "===="

  /// A line of output without what differs from run to run.
  private static func plain(_ line: String) -> String {
    DocumentationTests.withoutMoment(line).replacing(/"owner":\d+/, with: "OWNER")
  }

  private static var swiftIsThere: Bool {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/swift")
    }
  }

  /// The texts of the files below `folder` by their paths; what a build left there is passed over.
  private static func files(below folder: URL) throws -> [String: String] {
    let paths =
      FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    var files: [String: String] = [:]
    for path in paths where !path.hasPrefix(".build") && !path.hasPrefix(".swiftpm") {
      var isFolder: ObjCBool = false
      let file = folder.appendingPathComponent(path)
      guard FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder),
        !isFolder.boolValue
      else { continue }
      files[path] = try String(contentsOf: file, encoding: .utf8)
    }
    return files
  }
}
