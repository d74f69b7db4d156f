import Dispatch
import EventStoreCore
import EventStoreSQLite
import Foundation
import Refold
import SampleReactors

/// Small fixed pieces of work, to count their instructions: on threads as few as can be, so that the
/// count is the same each time.
///
///     refold-bench-work work decode COUNT
///     refold-bench-work work encode COUNT
///     refold-bench-work work fold STORE
///     refold-bench-work work open COUNT STORE
enum Work {
  /// Does what `words` say, and ends the process.
  static func perform(_ words: [String]) -> Never {
    do {
      switch words.first {
      case "decode": try decode(count(words))
      case "encode": try encode(count(words))
      case "fold": try fold(path(words))
      case "open": try open(count(words), path(words))
      default: throw Misuse()
      }
      exit(0)
    } catch {
      FileHandle.standardError.write(Data("refold-bench-work: \(error)\n".utf8))
      exit(1)
    }
  }

  private struct Misuse: Error, CustomStringConvertible {
    var description: String { "expected: work decode|encode|fold|open [COUNT] [STORE]" }
  }

  private static func count(_ words: [String]) throws -> Int {
    guard words.count > 1, let count = Int(words[1]) else { throw Misuse() }
    return count
  }

  private static func path(_ words: [String]) throws -> String {
    guard words.count > 1, let path = words.last else { throw Misuse() }
    return path
  }

  /// What `run` does with a line.
  private static func decode(_ count: Int) throws {
    let codec = EventCodec()
    let line = Array(#"{"increase":{"by":1234}}"#.utf8)
    for _ in 0..<count {
      _ = try codec.decodeInputAction(CounterReactor.Action.self, from: line)
    }
  }

  /// What a session does with a mutation.
  private static func encode(_ count: Int) throws {
    let codec = EventCodec()
    for index in 0..<count { _ = try codec.encode(CounterReactor.Mutation.add(index % 1000)) }
  }

  private static func fold(_ path: String) throws {
    let store = try SQLiteEventStore(path: path, options: .init(access: .readOnly))
    let machine = try TimeMachine(CounterReactor(), session: "s1", in: store)
    _ = try machine.state(at: machine.lastSeq)
    try store.close()
  }

  /// Opens a session, and asks it for its state, so often.
  private static func open(_ count: Int, _ path: String) throws {
    let store = try SQLiteEventStore(path: path)
    for _ in 0..<count {
      let session = try Session(
        CounterReactor(), named: SessionName("s1"), in: store, options: SessionOptions())
      _ = session.currentState
      let closed = DispatchSemaphore(value: 0)
      Task.detached {
        try? await session.close()
        closed.signal()
      }
      closed.wait()
    }
    try store.close()
  }
}
