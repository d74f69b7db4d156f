import EventStoreCore
import EventStoreTesting
import Foundation
import JSONTree
import Refold

@testable import RefoldTools

/// A reactor whose state is any document at all, for pages of what no sample has.
struct DocumentReactor: Reactor {
  enum Action: Codable, Sendable { case set(Document) }
  enum Mutation: Codable, Sendable { case set(Document) }

  let initialState = Document.object([:])

  func mutate(action: Action, state: Document) -> Effect<Mutation> {
    switch action {
    case .set(let document): .just(.set(document))
    }
  }

  func reduce(state: inout Document, mutation: Mutation) {
    switch mutation {
    case .set(let document): state = document
    }
  }
}

/// A JSON document.
indirect enum Document: Codable, Equatable, Sendable {
  case null
  case number(Int)
  case text(String)
  case array([Document])
  case object([String: Document])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let number = try? container.decode(Int.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let array = try? container.decode([Document].self) {
      self = .array(array)
    } else {
      self = .object(try container.decode([String: Document].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .number(let number): try container.encode(number)
    case .text(let text): try container.encode(text)
    case .array(let array): try container.encode(array)
    case .object(let object): try container.encode(object)
    }
  }
}

extension Document {
  /// A document that a generator comes up with, of a few dozen values.
  static func random(_ random: inout SeededGenerator, depth: Int = 0) -> Document {
    switch random.below(depth < 4 ? 6 : 3) {
    case 0: random.chance(0.3) ? .null : .number(Int(truncatingIfNeeded: random.next()))
    case 1: .text(Self.text(&random, length: random.below(12)))
    case 2: .text(Self.text(&random, length: 60 + random.below(120)))
    case 3: .array((0..<random.below(8)).map { _ in .random(&random, depth: depth + 1) })
    default:
      .object(
        Dictionary(
          (0..<random.below(6)).map { _ in
            (random.pick(keys), Self.random(&random, depth: depth + 1))
          }, uniquingKeysWith: { $1 }))
    }
  }

  /// This document with a few things in it changed, put in and taken out.
  func edited(_ random: inout SeededGenerator) -> Document {
    if random.chance(0.05) { return .random(&random, depth: 2) }
    switch self {
    case .null, .number: return .number(random.below(1000))
    case .text(let text):
      var scalars = Array(text.unicodeScalars)
      let start = random.below(scalars.count + 1)
      let end = min(scalars.count, start + random.below(4))
      scalars.replaceSubrange(
        start..<end, with: Self.text(&random, length: random.below(4)).unicodeScalars)
      return .text(String(String.UnicodeScalarView(scalars)))
    case .array(var array):
      let place = random.below(array.count + 1)
      if place == array.count || random.chance(0.3) {
        array.insert(.random(&random, depth: 3), at: place)
      } else if random.chance(0.4) {
        array.remove(at: place)
      } else {
        array[place] = array[place].edited(&random)
      }
      return .array(array)
    case .object(var object):
      let key = random.pick(Self.keys)
      object[key] =
        random.chance(0.3)
        ? nil : object[key]?.edited(&random) ?? .random(&random, depth: 2)
      return .object(object)
    }
  }

  /// Keys whose order by UTF-16 is another than by UTF-8, and ones that a pointer must escape.
  private static let keys = [
    "a", "b", "", "a/b", "~", "~1", "0", "10", "9", "é", "😀", "\u{FF5E}", "\"", "\n", "__proto__",
  ]

  private static let letters = Array("ab \n\"\\<~é漢😀\u{0}\u{301}\u{2028}".unicodeScalars)

  private static func text(_ random: inout SeededGenerator, length: Int) -> String {
    String(String.UnicodeScalarView((0..<length).map { _ in random.pick(letters) }))
  }
}

/// A session of documents in memory, and its page.
struct DocumentSession {
  let store = InMemoryEventStore()
  let documents: [Document]

  /// A session in which the state becomes each of `documents` in turn.
  init(_ documents: [Document]) async throws {
    self.documents = documents
    let session = try await Session.open(DocumentReactor(), named: "d", in: store)
    for document in documents { try await session.send(.set(document)) }
    try await session.close()
  }

  /// What the state is at each position, as compact JSON: the initial one, and each of the others
  /// from its mutation to the next.
  func states() throws -> [String] {
    let codec = EventCodec()
    let states = try ([.object([:])] + documents).map {
      String(decoding: try codec.encode($0), as: UTF8.self)
    }
    return (0...2 * documents.count).map { states[$0 / 2] }
  }

  /// Writes the page to `path`.
  func writePage(to path: String, limits: PageCapacity = .standard) throws {
    let name = try SessionName("d")
    guard let info = try store.session(named: name) else { return }
    let last = try store.tail(of: info.id).version
    let writer = try PageWriter(
      DocumentReactor(), info, in: store, PositionRange.Resolved(before: .zero, last: last),
      at: last, toolName: "documents", limits: limits)
    let file = try OutputFile(path, Console())
    try writer.write(to: file.output) { _ in }
    try file.finish()
  }
}
