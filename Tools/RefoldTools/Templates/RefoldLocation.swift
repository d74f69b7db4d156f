import Foundation

/// Where a package of a user's own finds Refold.
struct RefoldLocation: Sendable {
  /// The dependency, as the manifest writes it.
  let dependency: String
  /// What the manifest calls it where it names products.
  let package: String
  /// What the README links to.
  let link: String
  /// By what SwiftPM knows it: the last part of its path or URL.
  let identity: String

  /// What `--refold` says, for a package whose folder is made in the working directory.
  ///
  /// - Throws: `Failure` where `text` is a path that Refold does not lie at.
  init(_ text: String) throws {
    if Self.isURL(text) {
      try self.init(url: text)
    } else {
      try self.init(path: text)
    }
  }

  /// The folder that this tool was built from.
  ///
  /// - Throws: `Failure` with `.usage` where it is no longer there, or is a copy that SwiftPM made
  ///   for another package and may remove.
  static func ofThisTool(source: String = #filePath) throws -> RefoldLocation {
    // Tools/RefoldTools/Templates/RefoldLocation.swift
    var folder = URL(fileURLWithPath: source)
    for _ in 0..<4 { folder.deleteLastPathComponent() }
    let isCopy = folder.path.contains("/.build/checkouts/")
    guard !isCopy, isRefold(folder.path) else {
      throw Failure(
        .usage,
        "init does not know where Refold is: this tool was built from \(folder.path), which "
          + (isCopy ? "belongs to the package that it was built for" : "is not there any more")
          + ". Say where with --refold PATH or --refold URL.")
    }
    return try RefoldLocation(path: folder.path)
  }

  private init(url: String) throws {
    var last = Substring(url)
    while last.hasSuffix("/") { last = last.dropLast() }
    last = last.split { $0 == "/" || $0 == ":" }.last ?? ""
    if last.hasSuffix(".git") { last = last.dropLast(4) }
    guard !last.isEmpty else {
      throw Failure(.usage, "--refold \(Printable.line(url)) names no repository")
    }
    dependency = ".package(url: \(String(reflecting: url)), branch: \"main\")"
    package = String(last)
    link = url
    identity = last.lowercased()
  }

  private init(path: String) throws {
    guard Self.isRefold(path) else {
      throw Failure(
        .notFound,
        "there is no Refold at \(Printable.line(path)): its Package.swift would be there. "
          + "Give the folder that Refold was cloned into, or a URL.")
    }
    // One folder deeper than here.
    let written = path.hasPrefix("/") ? path : Self.joined("..", path)
    dependency = ".package(name: \"refold\", path: \(String(reflecting: written)))"
    package = "refold"
    link = written
    identity = URL(fileURLWithPath: path).standardizedFileURL.lastPathComponent.lowercased()
  }

  private static func isURL(_ text: String) -> Bool {
    // git@host:owner/refold.git is one too.
    text.contains("://") || text.wholeMatch(of: /[^\/]+@[^\/]+:.+/) != nil
  }

  private static func isRefold(_ path: String) -> Bool {
    let manifest = URL(fileURLWithPath: path).appendingPathComponent("Package.swift")
    let text = try? String(contentsOf: manifest, encoding: .utf8)
    return text?.contains("name: \"refold\"") == true && text?.contains("RefoldTools") == true
  }

  private static func joined(_ first: String, _ path: String) -> String {
    let parts = path.split(separator: "/").filter { $0 != "." }.map(String.init)
    return ([first] + parts).joined(separator: "/")
  }
}
