import EventStoreCore
import EventStoreTesting
import JSONTree
import Refold
import Testing

/// A state of several kinds of fields, each mutation of which sets one.
struct BoardReactor: Reactor {
  struct Card: Codable, Sendable, Equatable {
    var id: Int
    var text: String
  }

  struct Column: Codable, Sendable, Equatable { var width: Int }

  struct State: Codable, Sendable, Equatable {
    var title = "board"
    var error: String?
    var cards: [Card] = []
    var columns: [Column] = []
    var tags: [String] = []
    var counts: [String: Int] = [:]
    var never = [Int](repeating: 7, count: 20)
  }

  enum Mutation: Codable, Sendable {
    case setTitle(String)
    case setError(String?)
    case setCards([Card])
    case setText(Int, String)
    case setColumns([Column])
    case setTags([String])
    case setCount(String, Int?)
  }

  enum Action: Codable, Sendable { case nothing }

  let initialState = State()

  func mutate(action: Action, state: State) -> Effect<Mutation> { .empty }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .setTitle(let title): state.title = title
    case .setError(let error): state.error = error
    case .setCards(let cards): state.cards = cards
    case .setText(let index, let text):
      if state.cards.indices.contains(index) { state.cards[index].text = text }
    case .setColumns(let columns): state.columns = columns
    case .setTags(let tags): state.tags = tags
    case .setCount(let key, let count): state.counts[key] = count
    }
  }
}

extension SeededGenerator {
  fileprivate mutating func mutation() -> BoardReactor.Mutation {
    switch below(7) {
    case 0: return .setTitle(pick(["a", "b"]))
    case 1: return .setError(below(2) == 0 ? nil : pick(["x", "y"]))
    case 2:
      let ids = (0..<12).shuffled(using: &self).prefix(below(13))
      return .setCards(ids.map { .init(id: $0, text: below(4) == 0 ? "new" : "old") })
    case 3: return .setText(below(12), pick(["new", "old", "other"]))
    case 4: return .setColumns((0..<below(3)).map { _ in .init(width: below(2)) })
    case 5: return .setTags((0..<below(3)).map { _ in pick(["p", "q"]) })
    default: return .setCount(pick(["one", "two"]), below(3) == 0 ? nil : below(2))
    }
  }
}

@Suite struct BlameTests {
  private let store = InMemoryEventStore()

  private func record(_ mutations: [BoardReactor.Mutation]) throws -> SessionInfo {
    let info = try store.transaction {
      try $0.createSession(
        named: SessionName("s"), reactor: BoardReactor.name, at: Timestamp(microseconds: 0))
    }
    var batch = EventBatch()
    for (place, mutation) in mutations.enumerated() {
      let header = EventHeader(
        seq: Seq(UInt32(place + 1)), kind: .mutation, cause: .zero,
        recordedAt: Timestamp(microseconds: Int64(place)))
      batch.append(header, payload: try EventCodec().encode(mutation))
    }
    try store.append(batch, to: info.id, expecting: .zero, schemaVersion: 1)
    return info
  }

  /// Every state of a session, encoded.
  private func states(_ info: SessionInfo) throws -> [JSONValue] {
    let machine = TimeMachine(BoardReactor(), info, in: store)
    return try (0...Int(machine.lastSeq.rawValue)).map {
      try JSONValue(parsing: EventCodec().encode(machine.state(at: Seq(UInt32($0)))))
    }
  }

  /// The last place up to `position` at which what `value` finds differs from the place before.
  private func lastChange(
    _ states: [JSONValue], _ position: Int, _ value: (JSONValue) -> JSONValue?
  ) -> Int {
    (1...max(1, position)).last { $0 <= position && value(states[$0]) != value(states[$0 - 1]) }
      ?? 0
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func a_field_is_blamed_on_the_event_that_last_changed_it(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let info = try record((0..<400).map { _ in random.mutation() })
    let states = try states(info)
    let timeline = try Timeline(BoardReactor(), info, in: store, limit: 10)
    for _ in 0..<40 {
      let position = random.below(401)
      for text in [
        "/title", "/error", "/cards", "/cards/1/text", "/counts/one", "/never", "", "/x",
      ] {
        let pointer = try JSONPointer(text)
        let found = try timeline.lastChange(at: pointer, through: Seq(UInt32(position)))
        let expected = lastChange(states, position) { $0[pointer] }
        #expect(Int(found.rawValue) == expected, "\(text) at \(position), seed \(seed)")
      }
    }
  }

  @Test(arguments: [UInt64(4), 5, 6])
  func all_fields_are_blamed_at_once_and_items_by_their_id(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let info = try record((0..<400).map { _ in random.mutation() })
    let states = try states(info)
    let timeline = try Timeline(BoardReactor(), info, in: store, limit: 10)
    for _ in 0..<20 {
      let position = random.below(401)
      let blames = try timeline.blame(at: Seq(UInt32(position)))
      for blame in blames {
        let expected = lastChange(states, position) { state in
          guard blame.pointer.tokens.first == "cards", blame.pointer.tokens.count == 2,
            let id = states[position][blame.pointer]?["id"],
            case .array(let cards)? = state["cards"]
          else { return state[blame.pointer] }
          return cards.first { $0["id"] == id }
        }
        #expect(
          Int(blame.seq.rawValue) == expected, "\(blame.pointer) at \(position), seed \(seed)")
      }
      let cards = states[position]["cards"]?.count ?? 0
      let pointers = blames.map(\.pointer.description)
      #expect(pointers.filter { $0.hasPrefix("/cards/") }.count == cards)
      #expect(pointers.contains("/title") && pointers.contains("/never"))
    }
  }

  @Test func a_depth_keeps_fields_together() throws {
    let info = try record([
      .setCount("one", 1), .setCount("two", 2), .setCards([.init(id: 1, text: "")]),
    ])
    let timeline = try Timeline(BoardReactor(), info, in: store)
    let blames = try timeline.blame(at: 3, depth: 1)
    #expect(
      blames.map { "\($0.pointer) \($0.seq)" } == [
        "/cards 3", "/columns 0", "/counts 2", "/never 0", "/tags 0", "/title 0",
      ])
  }

  @Test func a_field_that_came_back_is_blamed_on_what_brought_it_back() throws {
    let info = try record([
      .setError("timeout"), .setError(nil), .setTitle("x"), .setError("timeout"), .setTitle("y"),
    ])
    let timeline = try Timeline(BoardReactor(), info, in: store)
    #expect(try timeline.lastChange(at: JSONPointer("/error"), through: 5) == 4)
    #expect(try timeline.lastChange(at: JSONPointer("/error"), through: 3) == 2)
    let blames = try timeline.blame(at: 5)
    #expect(blames.first { $0.pointer.description == "/error" }?.seq == 4)
  }

  @Test func every_change_of_a_field_is_its_history() throws {
    let info = try record([.setError("a"), .setTitle("x"), .setError(nil), .setError("b")])
    let timeline = try Timeline(BoardReactor(), info, in: store)
    var lines: [String] = []
    let text = { (bytes: [UInt8]?) in bytes.map { String(decoding: $0, as: UTF8.self) } ?? "-" }
    try timeline.forEachChange(at: JSONPointer("/error"), in: 1...4) { seq, old, new in
      lines.append("\(seq) \(text(old)) \(text(new))")
    }
    #expect(lines == [#"1 - "a""#, #"3 "a" -"#, #"4 - "b""#])
  }

  @Test(arguments: [UInt64(7), 8])
  func a_fingerprint_changes_exactly_when_the_encoding_does(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (reactor, codec, versions) = (BoardReactor(), EventCodec(), ArrayVersions())
    var state = reactor.initialState
    var former: ([UInt8]?, [UInt8]?) = (nil, nil)
    let cards = try JSONPointer("/cards")
    for _ in 0..<800 {
      reactor.reduce(state: &state, mutation: random.mutation())
      let now = (
        try codec.encode(state, at: cards), try codec.fingerprint(of: state, at: cards, versions)
      )
      #expect((now.0 == former.0) == (now.1 == former.1), "seed \(seed)")
      former = now
    }
  }
}

extension JSONValue {
  fileprivate var count: Int {
    if case .array(let elements) = self { elements.count } else { 0 }
  }
}
