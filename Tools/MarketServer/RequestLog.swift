import Synchronization

/// A request that came in.
public struct LoggedRequest: Sendable {
  /// Counts the requests, from 1.
  public let id: Int
  /// Counts the connections, from 1: which one it came over.
  public let connection: Int
  /// What was asked.
  public let request: ReceivedRequest
}

/// How a request ended.
public enum RequestEnd: Hashable, Sendable {
  /// It was answered with this status.
  case answered(Int)
  /// The answer was broken off by a fault.
  case brokenOff
  /// The client closed the connection while it waited for the answer, or before it was written.
  case closedByClient
}

/// What was asked of a server, and how it ended.
final class RequestLog: Sendable {
  private struct Taker {
    var pattern: RequestPattern
    var continuation: CheckedContinuation<LoggedRequest, Never>
  }

  private struct State {
    var count = 0
    var requests: [LoggedRequest] = []
    var untaken: [LoggedRequest] = []
    var takers: [Taker] = []
    var ends: [Int: RequestEnd] = [:]
    var watchers: [Int: [CheckedContinuation<RequestEnd, Never>]] = [:]
  }

  private let state = Mutex(State())
  private let isKept: Bool

  /// - Parameter isKept: whether requests are remembered; else only counted.
  init(isKept: Bool) { self.isKept = isKept }

  var requests: [LoggedRequest] { state.withLock { $0.requests } }

  func arrived(_ request: ReceivedRequest, over connection: Int) -> LoggedRequest {
    let (logged, taker) = state.withLock { state -> (LoggedRequest, Taker?) in
      state.count += 1
      let logged = LoggedRequest(id: state.count, connection: connection, request: request)
      guard isKept else { return (logged, nil) }
      state.requests.append(logged)
      if let index = state.takers.firstIndex(where: { $0.pattern.matches(request) }) {
        return (logged, state.takers.remove(at: index))
      }
      state.untaken.append(logged)
      return (logged, nil)
    }
    taker?.continuation.resume(returning: logged)
    return logged
  }

  func ended(_ request: LoggedRequest, _ end: RequestEnd) {
    guard isKept else { return }
    let watchers = state.withLock { state in
      state.ends[request.id] = end
      return state.watchers.removeValue(forKey: request.id) ?? []
    }
    for watcher in watchers { watcher.resume(returning: end) }
  }

  func next(_ pattern: RequestPattern) async -> LoggedRequest {
    await withCheckedContinuation { continuation in
      let request = state.withLock { state -> LoggedRequest? in
        if let index = state.untaken.firstIndex(where: { pattern.matches($0.request) }) {
          return state.untaken.remove(at: index)
        }
        state.takers.append(Taker(pattern: pattern, continuation: continuation))
        return nil
      }
      if let request { continuation.resume(returning: request) }
    }
  }

  func end(of request: LoggedRequest) async -> RequestEnd {
    await withCheckedContinuation { continuation in
      let end = state.withLock { state -> RequestEnd? in
        if let end = state.ends[request.id] { return end }
        state.watchers[request.id, default: []].append(continuation)
        return nil
      }
      if let end { continuation.resume(returning: end) }
    }
  }
}
