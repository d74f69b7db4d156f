import Foundation
import SampleReactors
import Synchronization

/// The API that the samples speak to, as a real HTTP/1.1 server on 127.0.0.1: for tests, and for
/// people who want to see a reactor over a network.
///
///     let server = try MarketServer()
///     server.fail("GET /posts", with: .status(503))
///     …                                                  // something asks at server.url
///     let request = await server.next("GET /posts")
///     await server.stop()
///
/// Each connection has a thread of its own. A server that nobody refers to any more stops by itself.
public final class MarketServer: Sendable {
  /// What it answers from.
  public let backend: MarketBackend
  /// Where it listens.
  public let port: UInt16

  private let stopping: Wake
  private let connections: Connections
  let script = FaultScript()
  private let log: RequestLog

  /// A server that listens from now on.
  ///
  /// - Parameters:
  ///   - port: where; 0 for any port that is free.
  ///   - keepsLog: whether requests are remembered, for `next(_:)`, `end(of:)` and `requests`.
  ///   - observer: is told each request and its end, on the thread of its connection.
  /// - Throws: `SystemError`, such as for a port that is taken.
  public init(
    backend: MarketBackend = MarketBackend(), port: UInt16 = 0, keepsLog: Bool = true,
    observer: @escaping @Sendable (ReceivedRequest, RequestEnd) -> Void = { _, _ in }
  ) throws {
    self.backend = backend
    stopping = try Wake()
    log = RequestLog(isKept: keepsLog)
    connections = Connections()
    let listener = try Listener(port: port, stopping: stopping)
    self.port = listener.port
    let router = Router(backend: backend)
    connections.thread { [connections, script, log] in
      listener.run { socket in
        connections.open(socket) { number in
          Connection(
            number: number, stream: ClientStream(socket), router: router, script: script,
            log: log, observer: observer
          ).serve()
        }
      }
    }
  }

  deinit { beginStop() }

  /// `http://127.0.0.1:PORT`.
  public var url: String { "http://127.0.0.1:\(port)" }

  /// Closes every connection, whatever its requests wait for, and the port. Returns when the last
  /// thread has ended.
  public func stop() async {
    beginStop()
    await connections.ended()
  }

  private func beginStop() {
    stopping.happen()
    connections.close()
  }
}

// What goes wrong.
extension MarketServer {
  /// Makes `faults` happen, all of them in this order, to the next requests that `pattern` matches.
  ///
  /// - Parameters:
  ///   - times: to how many of them; nil for all. Of several that match, the oldest comes first.
  public func fail(_ pattern: RequestPattern, with faults: Fault..., times: Int? = 1) {
    script.add(faults, for: pattern, times: times)
  }

  /// Makes every request wait `seconds` before anything else happens to it.
  public func slowDown(by seconds: Double) { script.slowDown(by: seconds) }

  /// Nothing goes wrong any more, and nothing waits.
  public func clearFaults() { script.clear() }
}

// What was asked.
extension MarketServer {
  /// Every request so far, in the order they came.
  public var requests: [LoggedRequest] { log.requests }

  /// The oldest request that `pattern` matches and that was not handed out yet, once it is there.
  public func next(_ pattern: RequestPattern) async -> LoggedRequest { await log.next(pattern) }

  /// How `request` ended, once it has.
  public func end(of request: LoggedRequest) async -> RequestEnd { await log.end(of: request) }
}

extension RequestPattern: ExpressibleByStringLiteral {
  /// The pattern that is written out in code.
  public init(stringLiteral text: String) {
    guard let pattern = RequestPattern(text) else {
      preconditionFailure("\"\(text)\" is not METHOD /PATH")
    }
    self = pattern
  }
}
