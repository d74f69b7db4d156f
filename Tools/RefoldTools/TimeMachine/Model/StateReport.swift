import EventStoreCore
import Refold
import Sections

/// A state as the screens see it.
struct ShownState: Sendable {
  let seq: Seq
  /// The state as JSON, as `export` writes it.
  let document: JSONDocument
  /// The reactor's screen in it; nil for reactors that have none.
  let screen: ScreenReport?
}

/// What is on screen in a state.
enum ScreenReport: Sendable {
  case screen(Screen)
  /// Why it cannot be drawn.
  case failed(String)
}

/// What the worker found out.
enum StateReport: Sendable {
  /// A state that was asked for.
  case state(ShownState)
  /// And what changed on the way to it.
  case changes(ChangeList)
  /// A state cannot be had: the log cannot be folded up to there.
  case unreadable(Seq, reason: String)
  /// How far the fold to a position, or the search for a change, has come.
  case progress(at: Seq, goal: Seq)
  /// Where the value at a pointer changed; nil where it did not.
  case change(Seq?, pointer: String)
  /// Something is done, in words.
  case done(String)
  /// Something went wrong, in words.
  case failed(String)
}

/// What a worker is asked for.
enum StateRequest: Sendable {
  /// The state at a position, and what changed since another one.
  struct Position: Sendable, Equatable {
    let seq: Seq
    let from: Seq
  }

  /// Where the value at a pointer changed before or after a position.
  struct Change: Sendable {
    let pointer: String
    let from: Seq
    let isForward: Bool
    /// The last position to look at, in the direction.
    let limit: Seq
  }

  /// Something that is always done, one after the other.
  enum Chore: Sendable {
    /// The line of `refold export --at`, into a file.
    case export(Seq, file: String)
    /// A session that shares the past up to a position.
    case fork(Seq, name: String)
  }
}

/// Answers questions about states, whatever the reactor, on a thread of its own.
protocol StateAnswering: AnyObject, Sendable {
  /// Asks for a state; gives up what was asked for before.
  func show(_ position: StateRequest.Position)
  /// Asks where a value changed; gives up an earlier question of that kind.
  func find(_ change: StateRequest.Change)
  /// Gives up looking for a change.
  func stopFinding()
  /// Asks for something that is done whatever else is asked for.
  func perform(_ chore: StateRequest.Chore)
  /// The reports since the last call, oldest first.
  func reports() -> [StateReport]
  /// Ends the thread, and waits for it.
  func stop()
}
