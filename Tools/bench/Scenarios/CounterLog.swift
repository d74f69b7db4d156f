import BenchReport
import CLimit
import Dispatch
import EventStoreCore
import EventStoreSQLite
import Foundation
import Refold
import SampleReactors

/// The actions that every benchmark of the counter sends, and what they come to.
enum CounterLog {
  /// The line of the action at `index`, 0 and up.
  static func line(_ index: Int) -> String { #"{"increase":{"by":\#(amount(index))}}"# }

  /// By how much it increases the counter: the C limit inserts the same.
  static func amount(_ index: Int) -> Int { Int(limit_amount(Int64(index))) }

  /// The actions repeat after so many.
  static let period = Int(limit_period)

  /// The counter's value after `count` of them.
  static func value(after count: Int) -> Int { (0..<count).reduce(0) { $0 + amount($1) } }

  /// The counter's value after each of `counts` actions.
  /// - Complexity: O(n) for the largest of them.
  static func values(after counts: [Int]) -> [Int] {
    var values: [Int: Int] = [:]
    var (value, reached) = (0, 0)
    for count in counts.sorted() {
      while reached < count {
        value += amount(reached)
        reached += 1
      }
      values[count] = value
    }
    return counts.map { values[$0] ?? 0 }
  }

  /// Writes `count` lines to the file at `path`, in constant memory.
  static func writeLines(_ count: Int, to path: String) throws {
    guard let file = fopen(path, "w") else {
      throw BenchError.system(
        operation: "write", path: path, reason: String(cString: strerror(errno)))
    }
    for index in 0..<count { fputs(line(index) + "\n", file) }
    guard fclose(file) == 0 else {
      throw BenchError.system(
        operation: "write", path: path, reason: String(cString: strerror(errno)))
    }
  }

  /// Makes a store at `path` that has the empty session "s1" of `reactor`, of number 1.
  static func makeStore(at path: String, reactor: String = CounterReactor.name) throws {
    let store = try SQLiteEventStore(path: path)
    let info = try store.transaction {
      try $0.createSession(named: SessionName("s1"), reactor: reactor, at: .now())
    }
    try store.close()
    guard info.id == SessionID(1) else {
      throw BenchError.wrongResult("a new store's session has the number \(info.id.rawValue)")
    }
  }

  /// Records `count` actions and their mutations in the session "s1" of a store at `path`, with the
  /// snapshots that belong to it.
  static func record(_ count: Int, at path: String) async throws {
    try makeStore(at: path)
    let store = try SQLiteEventStore(path: path, options: .init(synchronous: .normal))
    let session = try Session(
      CounterReactor(), named: SessionName("s1"), in: store, options: SessionOptions())
    let payloads = (0..<period).map { Array(line($0).utf8) }
    for index in 0..<count {
      let payload = payloads[index % period]
      let hasRoom = session.submit(
        .increase(by: amount(index)), payload: payload.span.bytes, reply: .nobody)
      if !hasRoom { session.block(until: .roomForActions) }
    }
    try await session.close()
    try store.close()
  }
}

extension Session {
  /// Blocks until `condition` holds, as `refold run` does.
  func block(until condition: WaitCondition) {
    if isTrue(condition) { return }
    let done = DispatchSemaphore(value: 0)
    when(condition) { done.signal() }
    done.wait()
  }
}
