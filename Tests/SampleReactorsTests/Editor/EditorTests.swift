import EventStoreCore
import Refold
import SampleReactors
import Testing

@Suite("Editor")
struct EditorTests {
  @Test func an_edit_is_one_splice() async throws {
    let store = InMemoryEventStore()
    let session = try await Session.open(EditorReactor(), named: "e", in: store)
    try await session.send(.edit(at: 0, delete: 0, insert: "h\u{1F600}llo"))
    try await session.send(.edit(at: 1, delete: 1, insert: "e\u{301}"))
    #expect(session.currentState.text.string == "he\u{301}llo")
    #expect(session.currentState.length == 6)
    var mutations: [EditorReactor.Mutation] = []
    try store.forEachEvent(of: session.info.id) { header, payload in
      guard header.kind == .mutation else { return }
      mutations.append(try EventCodec().decode(EditorReactor.Mutation.self, from: payload))
    }
    #expect(
      mutations == [
        .splice(at: 0, delete: 0, insert: "h\u{1F600}llo"),
        .splice(at: 1, delete: 1, insert: "e\u{301}"),
      ])
  }

  @Test(
    arguments: [
      (.edit(at: -1, delete: 0, insert: "a"), .placeOutside(at: -1, length: 3)),
      (.edit(at: 4, delete: 0, insert: "a"), .placeOutside(at: 4, length: 3)),
      (.edit(at: .max, delete: .max, insert: ""), .placeOutside(at: .max, length: 3)),
      (.edit(at: 2, delete: 2, insert: ""), .deletionOutside(at: 2, delete: 2, length: 3)),
      (.edit(at: 2, delete: -1, insert: ""), .deletionOutside(at: 2, delete: -1, length: 3)),
    ] as [(EditorReactor.Action, EditorError)])
  func an_edit_outside_the_text_fails(action: EditorReactor.Action, error: EditorError) async throws
  {
    let session = try await Session.open(EditorReactor(), named: "e", in: InMemoryEventStore())
    try await session.send(.edit(at: 0, delete: 0, insert: "abc"))
    let outcome = try await session.send(action).finished
    guard case .failed(let reason) = outcome else {
      Issue.record("\(action) ended as \(outcome)")
      return
    }
    #expect(reason as? EditorError == error)
    #expect(session.currentState.text.string == "abc")
  }

  @Test func an_error_says_what_would_have_been_possible() {
    #expect(
      "\(EditorError.placeOutside(at: 4, length: 3))"
        == "4 is no place in a text of 3 scalars: \"at\" can be 0 to 3")
    #expect(
      "\(EditorError.deletionOutside(at: 2, delete: 2, length: 3))"
        == "2 scalars cannot be deleted at 2 of a text of 3: \"delete\" can be 0 to 1 there")
  }

  @Test func no_log_can_trap_the_fold() {
    let reactor = EditorReactor()
    var state = reactor.initialState
    for at in [Int.min, -1, 0, 1, 2, .max] {
      for delete in [Int.min, -1, 0, 1, .max] {
        reactor.reduce(state: &state, mutation: .splice(at: at, delete: delete, insert: "ab"))
      }
    }
    #expect(state.length == state.text.string.unicodeScalars.count)
  }

  @Test func a_state_is_its_text_and_its_length() throws {
    var state = EditorReactor().initialState
    EditorReactor().reduce(state: &state, mutation: .splice(at: 0, delete: 0, insert: "a\u{301}b"))
    let bytes = try EventCodec().encode(state)
    #expect(String(decoding: bytes, as: UTF8.self) == "{\"length\":3,\"text\":\"a\u{301}b\"}")
    #expect(try EventCodec().decode(EditorReactor.State.self, from: bytes) == state)
  }
}
