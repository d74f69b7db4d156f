import Foundation
import FoundationNetworking
import Refold
import SampleReactors

/// A server's API over HTTP. Cancelling the task that sends cancels the request.
struct HTTPClient: Sendable {
  private let base: URL
  private let headers: [String: String]
  private let session: URLSession

  /// A client of the API below `base`.
  ///
  /// - Parameters:
  ///   - headers: sent with each request.
  ///   - timeout: seconds without any byte from the server after which a request has failed.
  init(base: URL, headers: [String: String] = [:], timeout: TimeInterval = 30) {
    self.base = base
    self.headers = headers
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = timeout
    session = URLSession(configuration: configuration)
  }

  /// The body of the answer to `request`.
  ///
  /// - Parameter bearer: the token that says who asks.
  /// - Throws: `Unauthorized` for status 401; `CancellationError`; else `AppError`.
  func send(_ request: HTTPRequest, bearer: String? = nil) async throws -> [UInt8] {
    let (data, response) = try await exchange(try urlRequest(request, bearer))
    guard let response = response as? HTTPURLResponse else {
      throw AppError.undecodable(reason: "the answer is not HTTP")
    }
    if let error = AnswerError(response, body: data, to: request).error { throw error }
    return Array(data)
  }

  /// The answer to `request`, decoded. Keys that `type` does not know are ignored.
  ///
  /// - Throws: as `send(_:bearer:)`; `AppError.undecodable` for a body that is not what was expected.
  func json<T: Decodable>(
    _ type: T.Type, _ request: HTTPRequest, bearer: String? = nil
  ) async throws -> T {
    let body = try await send(request, bearer: bearer)
    do {
      return try EventCodec().decode(type, from: body)
    } catch {
      throw AppError.undecodable(reason: "\(error)")
    }
  }

  private func urlRequest(_ request: HTTPRequest, _ bearer: String?) throws -> URLRequest {
    var url = base
    for part in request.path { url.append(component: part) }
    if !request.query.isEmpty {
      url.append(queryItems: request.query.map { URLQueryItem(name: $0.name, value: $0.value) })
    }
    var result = URLRequest(url: url)
    result.httpMethod = request.method.rawValue
    for (name, value) in headers { result.setValue(value, forHTTPHeaderField: name) }
    if let bearer { result.setValue("Bearer \(bearer)", forHTTPHeaderField: "Authorization") }
    if let body = request.body {
      result.httpBody = body.bytes
      result.setValue(body.type, forHTTPHeaderField: "Content-Type")
    }
    return result
  }

  private func exchange(_ request: URLRequest) async throws -> (Data, URLResponse) {
    do {
      return try await session.data(for: request)
    } catch let error as URLError where error.code == .cancelled {
      throw CancellationError()
    } catch let error as CancellationError {
      throw error
    } catch {
      throw AppError.network(reason: error.localizedDescription)
    }
  }
}
