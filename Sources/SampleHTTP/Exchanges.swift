import Foundation
import FoundationNetworking
import SampleReactors
import Synchronization

/// The requests of one client that are on their way, each with who waits for it. Owns a URLSession.
final class Exchanges: Sendable {
  private let session: URLSession
  private let running: Running

  /// - Parameters:
  ///   - idleSeconds: without any byte from the server, after which a request has failed; at least 1.
  ///     On Linux URLSession counts whole ones, and heeds those of the session, not of the request.
  ///   - maximumAnswerBytes: a longer answer is an error.
  init(idleSeconds: Int, maximumAnswerBytes: Int) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = TimeInterval(max(idleSeconds, 1))
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.httpCookieAcceptPolicy = .never
    configuration.urlCredentialStorage = nil
    configuration.httpMaximumConnectionsPerHost = 16
    running = Running(maximumAnswerBytes: maximumAnswerBytes)
    session = URLSession(configuration: configuration, delegate: running, delegateQueue: nil)
  }

  // A session keeps its delegate, and itself, until it is told that nothing comes any more.
  deinit { session.invalidateAndCancel() }

  /// The answer to `request`, whatever its status.
  ///
  /// - Throws: `CancellationError`, at once; `AppError.undecodable` for an answer that is too long; else
  ///   what URLSession does.
  func answer(to request: URLRequest) async throws -> (Data, URLResponse?) {
    let task = session.dataTask(with: request)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        // Cancelled is seen here or by the handler: a task counts as cancelled before that is called.
        running.add(task, continuation)
        if Task.isCancelled { running.end(task, with: .failure(CancellationError())) }
        task.resume()
        if Task.isCancelled { task.cancel() }
      }
    } onCancel: {
      running.end(task, with: .failure(CancellationError()))
      task.cancel()
    }
  }
}

/// What URLSession tells, on a queue of its own, one thing after the other.
private final class Running: NSObject, URLSessionDataDelegate {
  typealias Waiter = CheckedContinuation<(Data, URLResponse?), any Error>

  private struct Exchange {
    var waiter: Waiter
    var body = Data()
    var wasAskedForPassword = false
  }

  private let exchanges = Mutex<[Int: Exchange]>([:])
  private let maximumAnswerBytes: Int

  init(maximumAnswerBytes: Int) { self.maximumAnswerBytes = maximumAnswerBytes }

  func add(_ task: URLSessionTask, _ waiter: Waiter) {
    exchanges.withLock { $0[task.taskIdentifier] = Exchange(waiter: waiter) }
  }

  /// Tells who waits, if anybody still does.
  func end(_ task: URLSessionTask, with result: Result<URLResponse?, any Error>) {
    let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    guard let exchange else { return }
    exchange.waiter.resume(with: result.map { (exchange.body, $0) })
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data
  ) {
    let isTooLong = exchanges.withLock { exchanges in
      guard let received = exchanges[dataTask.taskIdentifier]?.body.count else { return true }
      guard data.count <= maximumAnswerBytes - received else { return true }
      exchanges[dataTask.taskIdentifier]?.body.append(data)
      return false
    }
    guard isTooLong else { return }
    let reason = "it has more than \(maximumAnswerBytes) bytes"
    end(dataTask, with: .failure(AppError.undecodable(reason: reason)))
    dataTask.cancel()
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let isRefused = exchanges.withLock { $0[task.taskIdentifier]?.wasAskedForPassword == true }
    if let error, !isRefused || task.response == nil {
      end(task, with: .failure(error))
    } else {
      end(task, with: .success(task.response))
    }
  }

  /// There is no password to give: a 401 that asks for one is an answer like any other. On Linux the
  /// default would wait for ever, and refusing cancels the task once its answer is there.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    exchanges.withLock { $0[task.taskIdentifier]?.wasAskedForPassword = true }
    completionHandler(.rejectProtectionSpace, nil)
  }

  /// Not followed: the redirect itself is the answer.
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }
}
