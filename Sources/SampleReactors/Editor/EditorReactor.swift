import Refold

/// A text that is edited by splices: `{"edit":{"at":0,"delete":0,"insert":"a"}}`.
///
/// All offsets and counts are Unicode scalars, so that every editing trace means the same text on
/// every machine, whatever its notion of a character.
public struct EditorReactor: Reactor {
  /// What can be asked for.
  public enum Action: Codable, Equatable, Sendable {
    /// Takes `delete` scalars out at `at`, 0-based, and puts `insert` in their place.
    case edit(at: Int, delete: Int, insert: String)
  }

  /// What can happen.
  public enum Mutation: Codable, Equatable, Sendable {
    /// The edit, as it was asked for.
    case splice(at: Int, delete: Int, insert: String)
  }

  /// A text.
  public struct State: Equatable, Sendable {
    /// The text. A copy of the state shares it.
    public var text = TextBuffer()

    /// Its length in Unicode scalars.
    public var length: Int { text.scalarCount }
  }

  /// An empty text.
  public let initialState = State()

  /// An editor.
  public init() {}

  /// One of each action.
  public static var exampleActions: [Action] { [.edit(at: 0, delete: 0, insert: "a")] }

  /// Splices. An edit that reaches outside the text is refused with an `EditorError`.
  public func mutate(action: Action, state: State) -> Effect<Mutation> {
    switch action {
    case .edit(let at, let delete, let insert):
      if let error = EditorError(at: at, delete: delete, length: state.length) {
        return .fail(error)
      }
      return .just(.splice(at: at, delete: delete, insert: insert))
    }
  }

  /// Splices. What lies outside the text, in a log that something else wrote, is clamped to it.
  public func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .splice(let at, let delete, let insert):
      let start = min(max(at, 0), state.length)
      let count = min(max(delete, 0), state.length - start)
      state.text.replaceScalars(in: start..<start + count, with: insert)
    }
  }
}

extension EditorReactor.State: Codable {
  private enum CodingKeys: String, CodingKey {
    case text, length
  }

  /// Reads the text; its length follows from it.
  public init(from decoder: any Decoder) throws {
    text = try decoder.container(keyedBy: CodingKeys.self).decode(TextBuffer.self, forKey: .text)
  }

  /// Writes text and length.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(text, forKey: .text)
    try container.encode(length, forKey: .length)
  }
}
