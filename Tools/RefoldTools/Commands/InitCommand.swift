import Foundation
import JSONTree

/// `refold init NAME`: a package of a user's own, with a reactor, its tests, and this command line.
struct InitCommand: Command {
  static let name = "init"
  static let summary = "a package of your own: a reactor, its tests, this command line for it"
  static let operands = [
    Operand(name: "NAME", summary: "the package and its folder: shopping-list or ShoppingList")
  ]
  static let options: [Option] = [
    .value("--refold", "WHERE", "a path or URL (default where this tool was built from)")
  ]
  static let discussion = """
    The package is written into the new folder NAME. It builds with swift build, and its executable
    has every command of this tool. --refold says where it finds Refold: a folder of any name, or
    the URL of a repository, whose branch main is used.
    """
  static let examples = [
    "refold init shopping-list && cd shopping-list && swift test",
    "refold init shopping-list --refold ../refold",
  ]

  private let package: PackageName
  private let refold: String?

  init(_ arguments: Arguments) throws {
    package = try PackageName(arguments.operands[0])
    refold = arguments.value("--refold")
  }

  func run(_ context: Context) throws -> ExitCode {
    let location = try refold.map { try RefoldLocation($0) } ?? RefoldLocation.ofThisTool()
    if package.description.lowercased() == location.identity {
      throw Failure(
        .usage,
        "\(package) is also what the folder or repository of Refold is called, and SwiftPM tells "
          + "packages apart by that. Take another name.")
    }
    let template = PackageTemplate(name: package, refold: location)
    try refuseExisting()
    for file in template.files { try write(file) }
    report(template, context)
    return .done
  }

  private func refuseExisting() throws {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: package.description, isDirectory: &isFolder)
    else { return }
    guard isFolder.boolValue else {
      throw Failure(.badInput, "\(package) is here already, and no folder. Take another name.")
    }
    guard let content = try? FileManager.default.contentsOfDirectory(atPath: package.description)
    else { throw Failure.system("read", package.description) }
    if content.isEmpty { return }
    throw Failure(
      .badInput,
      "the folder \(package) is here already, and not empty. Nothing was written. "
        + "Take another name, or another folder.")
  }

  private func write(_ file: PackageTemplate.File) throws {
    let target = URL(fileURLWithPath: package.description).appendingPathComponent(file.path)
    do {
      try FileManager.default.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(file.text.utf8).write(to: target, options: .withoutOverwriting)
    } catch {
      throw Failure(.inputOutput, "cannot write \(target.path): \(error.localizedDescription)")
    }
  }

  private func report(_ template: PackageTemplate, _ context: Context) {
    if context.isJSON {
      let files = template.files.map { JSONValue.string($0.path) }
      var line = JSONLine()
      line.member("package", package.description)
      line.member("files", json: JSONValue.array(files).serialized)
      context.console.output.write(line.finished())
      return
    }
    let files = template.files.map { "  \(package)/\($0.path)\n" }.joined()
    let steps = template.nextSteps.map { "  \($0)\n" }.joined()
    context.console.output.write("wrote\n\(files)\nGo on with\n\(steps)")
  }
}
