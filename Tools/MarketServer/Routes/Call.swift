import Refold
import SampleReactors

/// A request on the way to the route that answers it.
struct Call: Sendable {
  let request: ReceivedRequest
  /// What the places of the route's path stand for.
  let places: [String: String]
  let backend: MarketBackend

  /// What the place `name` of the path stands for.
  func place(_ name: String) -> String { places[name] ?? "" }

  /// Whose token came with the request.
  /// - Throws: `Unauthorized` where none did that holds.
  func account() throws -> Account { try backend.authorize(bearer) }

  private var bearer: String? {
    guard let value = request[header: "authorization"] else { return nil }
    let words = value.split(separator: " ", maxSplits: 1)
    guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
    return String(words[1])
  }

  /// The body, decoded.
  /// - Throws: `AppError.badRequest` where it is something else. It does not say what was there: that
  ///   may be a token.
  func body<T: Decodable>(_ type: T.Type) throws -> T {
    guard let value = try? EventCodec().decode(type, from: request.body) else {
      throw AppError.badRequest(reason: "the body is not the JSON that is expected here")
    }
    return value
  }

  /// The number `name` of the query, or `otherwise` where there is none.
  func number(_ name: String, otherwise: Int) throws -> Int {
    guard let text = request.queryValue(name) else { return otherwise }
    guard let number = Int(text) else {
      throw AppError.badRequest(reason: "\(name) is no number")
    }
    return number
  }
}
