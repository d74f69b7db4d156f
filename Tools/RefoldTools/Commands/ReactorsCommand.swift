import JSONTree
import Refold

/// `refold reactors`: what is linked in, with an example of every action.
struct ReactorsCommand: Command {
  static let name = "reactors"
  static let summary = "the reactors linked in, each with an example of every action"
  static let operands = [
    Operand(
      name: "NAME", summary: "which of them (default all)", isOptional: true, isRepeatable: true)
  ]
  static let examples = [
    "refold reactors", "refold reactors counter", "refold reactors --json",
  ]

  private let names: [String]

  init(_ arguments: Arguments) throws { names = arguments.operands }

  func run(_ context: Context) throws -> ExitCode {
    let reactors =
      names.isEmpty ? context.tool.reactors : try names.map { try context.reactor(named: $0) }
    if context.isJSON {
      let array = JSONValue.array(reactors.map(Self.json))
      context.console.output.write(array.serialized + [UInt8(ascii: "\n")])
    } else {
      let texts = reactors.map { Self.text($0, context.console) }
      context.console.output.write(texts.joined(separator: "\n"))
    }
    return .done
  }

  private static func json(_ reactor: AnyReactor) -> JSONValue {
    let actions = reactor.exampleActions.compactMap { try? JSONValue(parsing: $0) }
    return [
      "name": .string(reactor.name), "summary": .string(reactor.summary),
      "actions": .array(actions),
      "settings": .array(
        reactor.settings.map { ["key": .string($0.key), "summary": .string($0.summary)] }),
    ]
  }

  private static func text(_ reactor: AnyReactor, _ console: Console) -> String {
    var text = "\(console.styled(reactor.name, .bold))  \(reactor.summary)\n"
    for action in reactor.exampleActions { text += "  \(Printable.line(action))\n" }
    for setting in reactor.settings { text += "  --set \(setting.key)=…  \(setting.summary)\n" }
    return text
  }
}
