import EventStoreCore
import JSONTree

/// Reads what `export --as log` wrote, and believes none of it: every line is checked, the chain of
/// digests is computed anew, and must end in the digest that the file ends with.
package struct LogFileReader {
  /// The format that is written and read.
  package static let format = 1
  /// The longest line: the largest payload that a store takes, and room for the rest.
  package static let longestLine = (1 << 29) + (1 << 18)

  /// The first line.
  package struct Header {
    package let session: String
    package let reactor: String
    package let created: Timestamp
  }

  /// What was read when the last line proved the file whole.
  package struct Summary {
    package let events: Int
    package let digest: Digest
  }

  package let header: Header
  private let name: String
  private let nextLine: () throws -> [UInt8]?
  private var lineNumber = 1
  private var digest: LogDigest
  private var seq = Seq.zero
  private var schema = 1

  /// Reads the first line of the file that messages call `name`.
  ///
  /// - Parameter nextLine: gives the lines without their line feeds, then nil.
  /// - Throws: `LogFileError` where this is no log; what `nextLine` throws.
  package init(name: String, nextLine: @escaping () throws -> [UInt8]?) throws {
    self.name = name
    self.nextLine = nextLine
    guard let bytes = try nextLine() else { throw LogFileError.empty(file: name) }
    header = try Self.header(Self.withoutByteOrderMark(bytes), name)
    digest = LogDigest(reactor: header.reactor)
  }

  /// Hands every event, with its schema version, to `body`, and checks the end.
  ///
  /// - Throws: `LogFileError` for a line that is not what it must be, an event out of order, an end
  ///   that is missing, or a digest that does not match; what `body` throws.
  package mutating func readEvents(
    _ body: (Event, _ schema: Int) throws -> Void
  ) throws -> Summary {
    while let bytes = try takeLine() {
      if bytes.isEmpty { continue }
      let members = try members(of: bytes)
      if members["digest"] != nil { return try summary(bytes, members) }
      let event = try event(bytes, members)
      digest.append(event)
      try body(event, schema)
    }
    throw LogFileError.cutOff(file: name, after: seq)
  }

  private mutating func takeLine() throws -> [UInt8]? {
    let line = try nextLine()
    if line != nil { lineNumber += 1 }
    return line
  }

  private static func header(_ bytes: [UInt8], _ name: String) throws -> Header {
    let notALog = LogFileError.notALog(file: name)
    guard let members = try? JSONMembers(of: bytes), let kind = members["refold"],
      bytes[kind].elementsEqual(#""log""#.utf8)
    else { throw notALog }
    guard let format = members.integer("format", in: bytes), format == Self.format else {
      throw LogFileError.unknownFormat(file: name)
    }
    guard let session = members.text("session", in: bytes),
      let reactor = members.text("reactor", in: bytes),
      let created = members.text("created", in: bytes).flatMap({ Timestamp($0) })
    else { throw notALog }
    return Header(session: session, reactor: reactor, created: created)
  }

  private mutating func event(_ bytes: [UInt8], _ members: JSONMembers) throws -> Event {
    guard let next = seq.advanced(by: 1), members.integer("seq", in: bytes) == Int(next.rawValue)
    else { throw objection("expected the event after \(seq)") }
    guard let kind = members.text("kind", in: bytes).flatMap({ EventKind(name: $0) }),
      let cause = members.integer("cause", in: bytes).flatMap({ Seq(exactly: $0) }),
      let time = members.text("at", in: bytes).flatMap({ Timestamp($0) }),
      let payload = members["payload"]
    else { throw objection("expected seq, kind, cause, at and payload of an event") }
    let known: Set = ["seq", "kind", "cause", "at", "payload", "schema", "id"]
    if let unknown = members.all.first(where: { !known.contains($0.key) }) {
      throw objection("an event has no \(CodecError.quoted(unknown.key))")
    }
    if members["schema"] != nil {
      guard let version = members.integer("schema", in: bytes),
        (0...Int(Int32.max)).contains(version)
      else { throw objection("schema is not a whole number from 0 to 2147483647") }
      schema = version
    }
    seq = next
    let action = Array(bytes[payload])
    let header = EventHeader(seq: next, kind: kind, cause: cause, recordedAt: time)
    guard members["id"] != nil else { return Event(header: header, payload: action) }
    guard let id = members.text("id", in: bytes) else { throw objection("id is not a string") }
    do {
      let delivery = try Delivery(id: id, action: action)
      return Event(header: header, payload: action, delivery: delivery)
    } catch {
      throw objection("\(error)")
    }
  }

  private mutating func summary(_ bytes: [UInt8], _ members: JSONMembers) throws -> Summary {
    let found = digest.digest
    guard members.integer("events", in: bytes) == Int(seq.rawValue) else {
      throw objection("the file ends after \(seq) events, which is not the number that it names")
    }
    guard members.text("digest", in: bytes) == found.description else {
      throw objection("the digest does not match: an event was altered, or the reactor's name")
    }
    while let rest = try takeLine() {
      if !rest.isEmpty { throw objection("there is more after the end of the log") }
    }
    return Summary(events: Int(seq.rawValue), digest: found)
  }

  private func members(of bytes: [UInt8]) throws -> JSONMembers {
    do {
      if let members = try JSONMembers(of: bytes) { return members }
    } catch let error as JSONError {
      throw objection("\(error)")
    }
    throw objection("expected an object")
  }

  private func objection(_ reason: String) -> LogFileError {
    .wrongLine(file: name, line: lineNumber, reason: reason)
  }

  private static func withoutByteOrderMark(_ bytes: [UInt8]) -> [UInt8] {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
  }
}
