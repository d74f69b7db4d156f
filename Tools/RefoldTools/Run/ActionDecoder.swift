import EventStoreCore
import JSONTree
import Refold

/// Turns a line of input into an action, or into a reason that helps whoever wrote it.
struct ActionDecoder<R: Reactor> {
  /// What a line asks for.
  struct Command {
    let action: R.Action
    /// The bytes that the log keeps: the exact ones accepted, unless they hold a secret.
    let payload: [UInt8]
    let delivery: Delivery?
    /// The session that an envelope names.
    let session: String?
  }

  private let input: InputActionDecoder
  /// The examples by the name of their action.
  private let examples: [Example]

  /// Whether an action holds a secret, so that no message may quote what came.
  private let hasSecrets: Bool

  private struct Example {
    let name: String
    let line: String
    let isSecret: Bool
  }

  init(_ entry: AnyReactor, _ codec: EventCodec) {
    let input = InputActionDecoder(codec)
    self.input = input
    examples = entry.exampleActions.compactMap { bytes in
      guard let name = try? JSONMembers(of: bytes)?.all.first?.key else { return nil }
      let accepted = try? input.accept(R.Action.self, from: bytes)
      return Example(
        name: name, line: String(decoding: bytes, as: UTF8.self),
        isSecret: accepted.map { $0.payload != bytes } ?? false)
    }
    hasSecrets = examples.contains(where: \.isSecret)
  }

  /// What somebody at a terminal has to know, who sees a command wait for them.
  func invitation(isEnvelope: Bool) -> String {
    let start = "reading actions from the terminal, one a line; Ctrl-D ends."
    guard let line = examples.first?.line else { return start }
    let example = isEnvelope ? #"{"session":"s1","action":\#(line)}"# : line
    return "\(start) For example: \(example)"
  }

  /// Reads `line`, which is not empty.
  ///
  /// - Throws: `BadLine`.
  func decode(_ line: [UInt8], isEnvelope: Bool) throws(BadLine) -> Command {
    do {
      guard isEnvelope else { return try command(line, nil) }
      let envelope = try Envelope(line)
      return try command(envelope.action, envelope)
    } catch let error as BadLine {
      throw error
    } catch let error as CodecError {
      throw BadLine(explanation(of: error))
    } catch {
      throw BadLine("not JSON: \(error)")
    }
  }

  private func command(_ line: [UInt8], _ envelope: Envelope?) throws -> Command {
    let (action, payload) = try input.accept(R.Action.self, from: line)
    let delivery = try envelope?.id.map { try Delivery(id: $0, action: payload) }
    return Command(
      action: action, payload: payload, delivery: delivery, session: envelope?.session)
  }

  private func explanation(of error: CodecError) -> String {
    // How the action that the error lies in is written, where an example shows it.
    let example = examples.first { $0.name == error.pointer.tokens.first }
    let reason =
      if case .unknownCase(let keys) = error.kind, error.pointer.isRoot, keys.count == 1 {
        unknownAction(keys[0])
      } else {
        Printable.line((hasSecrets ? error.concealed : error).description)
      }
    return reason + (example.map { ". For example: \($0.line)" } ?? "")
  }

  private func unknownAction(_ name: String) -> String {
    let names = examples.map(\.name)
    let known = names.isEmpty ? "" : ", expected one of \(names.joined(separator: ", "))"
    guard let guess = nearest(name, among: names) else {
      return (hasSecrets ? "unknown action" : "unknown action \"\(Printable.line(name))\"") + known
    }
    return "unknown action \"\(Printable.line(name))\"\(known). Did you mean \(guess)?"
  }
}
