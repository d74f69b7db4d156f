import EventStoreTesting
import Foundation
import JSONTree
import Refold
import SampleReactors

@testable import RefoldTools

/// Lines are what lies between line feeds; an envelope is read as a JSON parser reads it; a line that
/// is no action is refused with a reason fit for a terminal.
enum InputProperties {
  static func checkEnvelope(_ input: [UInt8]) throws {
    let tree = try? JSONValue(parsing: input, duplicateKeys: .refused)
    do {
      let envelope = try Envelope(input)
      // Keys that the action repeats are its decoder's to refuse.
      guard case .object(let object) = try JSONValue(parsing: input) else {
        throw BrokenPromise("\(shown(input)) is no object, and taken for an envelope")
      }
      try require(object["id"] == envelope.id.map(JSONValue.string), "another id")
      try require(object["session"] == envelope.session.map(JSONValue.string), "another session")
      try require(
        object["action"] == (try JSONValue(parsing: envelope.action)), "another action")
      try require(
        object.members.allSatisfy { ["id", "session", "action"].contains($0.key) }, "another key")
    } catch let error as BadLine {
      try requirePrintable(error.description, input)
    } catch let error as JSONError {
      try require(tree == nil, "\(shown(input)) is JSON, and refused: \(error)")
    }
  }

  /// The first line is for one reactor, the second for another one, with secrets.
  static func checkActions(_ input: [UInt8]) throws {
    let reactors = [
      AnyReactor("") { _ in CounterReactor() }, AnyReactor("") { _ in EditorReactor() },
    ]
    try decode(CounterReactor.self, reactors[0], input)
    try decode(EditorReactor.self, reactors[1], input)
  }

  private static func decode<R: Reactor>(
    _ reactor: R.Type, _ entry: AnyReactor, _ input: [UInt8]
  ) throws {
    let decoder = ActionDecoder<R>(entry, EventCodec())
    for isEnvelope in [false, true] where !input.isEmpty {
      do {
        let command = try decoder.decode(input, isEnvelope: isEnvelope)
        let isJSON = (try? JSONValue(parsing: command.payload)) != nil
        try require(isJSON, "the payload of \(shown(input)) is no JSON")
      } catch let error as BadLine {
        try requirePrintable(error.description, input)
      }
    }
  }

  private static func requirePrintable(_ message: String, _ input: [UInt8]) throws {
    try requireMessage(message, for: input)
    try require(
      !message.unicodeScalars.contains(where: Printable.isDangerous),
      "a terminal acts on \(message.debugDescription)")
    try require(message.utf8.count < 4096, "a message of \(message.utf8.count) bytes")
  }
}

extension InputProperties {
  /// Lines through a file, against the bytes between line feeds. The first byte is the longest line.
  static func checkLines(_ input: [UInt8]) throws {
    let limit = Int(input.first ?? 0)
    let bytes = Array(input.dropFirst())
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return }
    defer { close(ends[0]) }
    // The whole input fits into the pipe, so that no thread has to write it.
    let written = bytes.withUnsafeBytes { write(ends[1], $0.baseAddress, $0.count) }
    close(ends[1])
    try require(written == bytes.count, "\(written) of \(bytes.count) bytes were written")

    var expected = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
    if expected.last == [] { expected.removeLast() }
    let overlong = Overlong()
    var reader = LineReader(ends[0], name: "lines", limit: limit)
    reader.overlong = { overlong.bytes.append(contentsOf: $0) }
    var number = 0
    while let line = try reader.next() {
      number += 1
      try require(number <= expected.count, "there are more lines than line feeds")
      let right = expected[number - 1]
      switch line {
      case .line(let found, let bytes):
        try require(found == number && bytes == right, "line \(number) is \(shown(bytes))")
        try require(bytes.count <= limit, "line \(number) is too long, and given")
      case .tooLong(let found):
        try require(found == number && right.count > limit, "line \(number) is not too long")
        try require(overlong.bytes == right + [0x0A], "an overlong line is given otherwise")
        overlong.bytes = []
      }
    }
    try require(number == expected.count, "there are fewer lines than line feeds")
  }

  /// What the reader's closure gathers.
  private final class Overlong {
    var bytes: [UInt8] = []
  }
}
