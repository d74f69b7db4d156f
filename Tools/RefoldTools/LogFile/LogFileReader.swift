import EventStoreCore
import Foundation
import JSONTree
import Refold

/// Reads what `LogFileWriter` wrote, and believes none of it: every line is checked, the chain of
/// digests is computed anew, and must end in the digest that the file ends with.
struct LogFileReader {
  /// The first line.
  struct Header {
    let session: String
    let reactor: String
    let created: Timestamp
  }

  /// What was read when the last line proved the file whole.
  struct Summary {
    let events: Int
    let digest: Digest
  }

  let header: Header
  private let name: String
  private var lines: LineReader
  private var digest: LogDigest
  private var seq = Seq.zero
  private var schema = 1

  /// Reads the first line of `descriptor`, which messages call `name`.
  ///
  /// - Throws: `Failure` with `.badInput` where this is no log.
  init(_ descriptor: Int32, name: String) throws {
    self.name = name
    lines = LineReader(descriptor, name: name, limit: AppendLimits.lineBytes)
    guard case .line(_, let bytes) = try lines.next() else {
      throw Failure(.badInput, "\(name) is empty, not a log")
    }
    header = try Self.header(Self.withoutByteOrderMark(bytes), name)
    digest = LogDigest(reactor: header.reactor)
  }

  /// Hands every event, with its schema version, to `body`, and checks the end.
  ///
  /// - Throws: `Failure` with `.badInput` for a line that is not what it must be, an event out of
  ///   order, an end that is missing, or a digest that does not match; what `body` throws.
  mutating func readEvents(_ body: (Event, _ schema: Int) throws -> Void) throws -> Summary {
    while let line = try lines.next() {
      guard case .line(_, let bytes) = line else {
        throw objection("the line is longer than an event can be")
      }
      if bytes.isEmpty { continue }
      let members = try members(of: bytes)
      if members["digest"] != nil { return try summary(bytes, members) }
      let event = try event(bytes, members)
      digest.append(event)
      try body(event, schema)
    }
    throw Failure(
      .badInput,
      "\(name) ends after event \(seq) without its digest: it was cut off. Export it again.")
  }

  private static func header(_ bytes: [UInt8], _ name: String) throws -> Header {
    let notALog = Failure(
      .badInput, "\(name) is not a log: line 1 is not the header that export --as log writes")
    guard let members = try? JSONMembers(of: bytes), let kind = members["refold"],
      bytes[kind].elementsEqual(#""log""#.utf8)
    else { throw notALog }
    guard let format = members.integer("format", in: bytes), format == LogFileWriter.format else {
      throw Failure(
        .foreignStore,
        "\(name) has a format of logs that this version does not know. "
          + "Import it with a newer one.")
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
      throw objection("an event has no \"\(unknown.key)\"")
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
    let delivery = try Delivery(id: id, action: action)
    return Event(header: header, payload: action, delivery: delivery)
  }

  private mutating func summary(_ bytes: [UInt8], _ members: JSONMembers) throws -> Summary {
    let found = digest.digest
    guard members.integer("events", in: bytes) == Int(seq.rawValue) else {
      throw objection("the file ends after \(seq) events, which is not the number that it names")
    }
    guard members.text("digest", in: bytes) == found.description else {
      throw objection("the digest does not match: an event was altered, or the reactor's name")
    }
    while let line = try lines.next() {
      guard case .line(_, let rest) = line, rest.isEmpty else {
        throw objection("there is more after the end of the log")
      }
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

  private func objection(_ reason: String) -> Failure {
    Failure(.badInput, "\(name), line \(lines.lineNumber): \(reason). Nothing was imported.")
  }

  private static func withoutByteOrderMark(_ bytes: [UInt8]) -> [UInt8] {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
  }
}

/// How long a line of a log can be.
private enum AppendLimits {
  /// The largest payload that a store takes, and room for the rest of the line.
  static let lineBytes = (1 << 29) + (1 << 18)
}

extension JSONMembers {
  /// The string under `key`, nil where there is none.
  func text(_ key: String, in bytes: [UInt8]) -> String? {
    guard let range = self[key],
      case .string(let text) = try? JSONValue(parsing: Array(bytes[range]))
    else { return nil }
    return text
  }

  /// The integer under `key`, nil where there is none.
  func integer(_ key: String, in bytes: [UInt8]) -> Int? {
    self[key].flatMap { Int(String(decoding: bytes[$0], as: UTF8.self)) }
  }
}
