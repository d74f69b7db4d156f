import JSONTree

/// A line of `run --envelope`: `{"id":"cmd-17","session":"s1","action":{…}}`.
struct Envelope {
  /// What makes the delivery idempotent, if it is to be.
  let id: String?
  /// The session that the action is for, nil for the default one.
  let session: String?
  /// The exact bytes of the action.
  let action: [UInt8]

  /// Reads `line`.
  ///
  /// - Throws: `BadLine` where it is no envelope; `JSONError` where it is no JSON.
  init(_ line: [UInt8]) throws {
    guard let members = try JSONMembers(of: line) else { throw BadLine(Self.expectation) }
    var fields: [String: [UInt8]] = [:]
    for member in members.all {
      let key = Printable.line(Printable.cut(member.key, to: Self.keyColumns))
      guard ["id", "session", "action"].contains(member.key) else {
        throw BadLine("the envelope has an unknown key \"\(key)\"; \(Self.expectation)")
      }
      guard fields.updateValue(Array(line[member.value]), forKey: member.key) == nil else {
        throw BadLine("the envelope has the key \"\(key)\" twice")
      }
    }
    id = try Self.text(fields["id"], "id")
    session = try Self.text(fields["session"], "session")
    if let id, !Self.idLengths.contains(id.utf8.count) {
      throw BadLine("the envelope's id has \(id.utf8.count) bytes, expected 1 to 65536")
    }
    guard let action = fields["action"] else {
      throw BadLine("the envelope has no action; \(Self.expectation)")
    }
    self.action = action
  }

  /// What a store takes.
  private static let idLengths = 1...(1 << 16)

  /// What is shown of a key.
  private static let keyColumns = 60

  private static let expectation =
    #"expected {"id":"…","session":"…","action":{…}}, id and session optional"#

  private static func text(_ bytes: [UInt8]?, _ name: String) throws -> String? {
    guard let bytes else { return nil }
    guard case .string(let text) = try JSONValue(parsing: bytes) else {
      throw BadLine("the envelope's \(name) is not a string")
    }
    return text
  }
}

/// Why a line of input was not accepted.
struct BadLine: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
