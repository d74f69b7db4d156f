import Foundation
import Sections
import Testing

private enum Cells {
  static let number = CellToken<Int>("number")
  static let text = CellToken<String>("text")
  static let numberAsText = CellToken<String>("number")
}

@Suite("Registrations")
struct RegistrationTests {
  @Test func a_registered_renderer_is_what_draws() throws {
    var cells = CellRegistry()
    cells.register(Cells.number) { Cell(id: "n", title: "\($0 + 1)") }
    cells.register(Cells.text) { Cell(id: $0, title: $0) }
    #expect(try cells.dequeue(Cells.number, for: 1).title == "2")
    cells.register(Cells.number) { Cell(id: "n", title: "<\($0)>") }
    #expect(try cells.dequeue(Cells.number, for: 1).title == "<1>")
    #expect(try cells.dequeue(Cells.text, for: "a").title == "a")
  }

  @Test func a_token_that_nothing_is_registered_for_is_named() throws {
    var cells = CellRegistry()
    let nothing = #expect(throws: SectionsError.self) {
      try cells.dequeue(Cells.text, for: "a")
    }
    #expect(nothing?.description.contains("\"text\" for String. Registered: nothing.") == true)
    cells.register(Cells.number) { Cell(id: "n", title: "\($0)") }
    let error = #expect(throws: SectionsError.self) {
      try cells.dequeue(Cells.numberAsText, for: "a")
    }
    #expect(
      error.map { "\($0)" }
        == "nothing is registered for \"number\" for String. Registered: \"number\" for Int. "
        + "Call register first.")
  }

  @Test func a_token_is_called_as_its_type_by_default() {
    #expect(CellToken<Int>().identifier == "Int")
  }

  @Test(.enabled(if: Compiler.isThere), .timeLimit(.minutes(5)))
  func a_wrong_type_does_not_compile() async throws {
    let right = """
      cells.register(token) { Cell(id: "n", title: "\\($0 + 1)") }
      _ = try cells.dequeue(token, for: 1)
      """
    #expect(try await Compiler.errors(in: right) == [])
    let registered = try await Compiler.errors(
      in: "cells.register(token) { (text: String) in Cell(id: text, title: text) }")
    #expect(registered.contains { $0.contains("String") && $0.contains("Int") }, "\(registered)")
    let dequeued = try await Compiler.errors(in: "_ = try cells.dequeue(token, for: \"one\")")
    #expect(dequeued.contains { $0.contains("String") && $0.contains("Int") }, "\(dequeued)")
  }
}

/// The compiler, asked about lines that have `cells` and a `token` of Int.
private enum Compiler {
  /// Where the build has put what importing Sections needs.
  private static let modules = URL(fileURLWithPath: CommandLine.arguments[0])
    .deletingLastPathComponent().appendingPathComponent("Modules")

  private static let swiftc =
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .map { "\($0)/swiftc" }.first { FileManager.default.isExecutableFile(atPath: $0) }

  static var isThere: Bool {
    swiftc != nil
      && FileManager.default.fileExists(
        atPath: modules.appendingPathComponent("Sections.swiftmodule").path)
  }

  /// The lines that the compiler calls errors.
  static func errors(in lines: String) async throws -> [String] {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("sections-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("main.swift")
    let head = "import Sections\nvar cells = CellRegistry()\nlet token = CellToken<Int>(\"n\")\n"
    try Data((head + lines + "\n").utf8).write(to: file)
    let (said, code) = try await run(["-typecheck", "-I", modules.path, file.path], in: folder)
    let errors = said.split(separator: "\n").filter { $0.contains("error:") }.map(String.init)
    #expect((code == 0) == errors.isEmpty, "\(said)")
    return errors
  }

  private static func run(
    _ arguments: [String], in folder: URL
  ) async throws -> (said: String, code: Int32) {
    let output = folder.appendingPathComponent("said")
    try Data().write(to: output)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(swiftc))
    process.arguments = arguments
    process.standardError = try FileHandle(forWritingTo: output)
    process.standardOutput = FileHandle.nullDevice
    try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Void, any Error>) in
      process.terminationHandler = { _ in ended.resume() }
      do {
        try process.run()
      } catch {
        process.terminationHandler = nil
        ended.resume(throwing: error)
      }
    }
    return (try String(contentsOf: output, encoding: .utf8), process.terminationStatus)
  }
}
