import Foundation
import Testing

/// A tool of a user's own must not pay for a network that only the samples use.
@Suite("Links")
struct LinkTests {
  private static let networking = "SampleHTTP"

  @Test func no_library_leads_to_the_samples_over_http() throws {
    let manifest = try Manifest()
    #expect(manifest.libraries.count >= 8, "Package.swift reads differently than it did")
    for library in manifest.libraries {
      #expect(!manifest.reach(of: library).contains(Self.networking), "\(library)")
    }
    for target in ["refold", "SampleHTTPTests"] {
      #expect(manifest.reach(of: target).contains(Self.networking), "\(target)")
    }
    #expect(!manifest.reach(of: "market-server").contains(Self.networking))
  }

  @Test func only_a_tool_with_the_samples_over_http_links_networking() throws {
    #expect(try linksNetworking(".build/debug/refold") == true)
    #expect(try linksNetworking(".build/debug/market-server") == false)
    // Built by Tools/test, not by every run of the tests.
    #expect(try linksNetworking(".build/own-package/debug/OwnPackage") != true)
  }

  /// Whether the executable at `path` names the library among those that it needs; nil where there is
  /// no such file. What it needs stands in it as text.
  private func linksNetworking(_ path: String) throws -> Bool? {
    let url = SourceTree.root.appendingPathComponent(path)
    guard FileManager.default.fileExists(atPath: url.path) else { return nil }
    let bytes = try Data(contentsOf: url, options: .mappedIfSafe)
    return bytes.range(of: Data("libFoundationNetworking.so".utf8)) != nil
  }
}

/// The targets of Package.swift, as far as they lead to each other.
private struct Manifest {
  /// The targets of the libraries that we offer.
  let libraries: [String]
  private let dependencies: [String: [String]]

  init() throws {
    let url = SourceTree.root.appendingPathComponent("Package.swift")
    let text = try String(contentsOf: url, encoding: .utf8)
    libraries = text.matches(of: /\.library\(name: "[^"]+", targets: \["([^"]+)"\]\)/)
      .map { String($0.1) }
    let target =
      /arget\(\s*name: "(?<name>[^"]+)"(,\s*dependencies: \[(?<dependencies>[^\]]*)\])?/
    dependencies = Dictionary(
      uniqueKeysWithValues: text.matches(of: target).map { match in
        let names = match.output.dependencies ?? ""
        return (
          String(match.output.name), names.matches(of: /"([^"]+)"/).map { String($0.1) }
        )
      })
  }

  /// What `target` depends on, through whatever lies between.
  func reach(of target: String) -> Set<String> {
    var reached: Set<String> = []
    var waiting = [target]
    while let next = waiting.popLast() {
      waiting += (dependencies[next] ?? []).filter { reached.insert($0).inserted }
    }
    return reached
  }
}
