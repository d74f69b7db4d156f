/// A request as a client sent it.
public struct ReceivedRequest: Sendable {
  /// A field of the head.
  public struct Header: Sendable {
    /// In lower case.
    public let name: String
    /// Without the spaces around it.
    public let value: String
  }

  /// `GET` and so on.
  public let method: String
  /// Path and query as they came.
  public let target: String
  /// The parts of the path, without what escaped them.
  public let path: [String]
  /// The query's names and values, in order, without what escaped them.
  public let query: [(name: String, value: String)]
  /// In the order they came.
  public let headers: [Header]
  /// What followed the head.
  public internal(set) var body: [UInt8] = []
  /// Whether the client wants to go on using the connection.
  let keepsAlive: Bool

  /// The value of the header `name`, in lower case; nil where there is none.
  public subscript(header name: String) -> String? {
    headers.first { $0.name == name }?.value
  }

  /// The last value of `name` in the query; nil where there is none.
  public func queryValue(_ name: String) -> String? { query.last { $0.name == name }?.value }

  /// Whether the head says how long the body is.
  var declaresBody: Bool {
    self[header: "content-length"] != nil || self[header: "transfer-encoding"] != nil
  }
}

/// A request that is not even asked of the routes.
struct Refusal: Error {
  var status: Int
  var message: String

  static func malformed(_ message: String) -> Refusal { Refusal(status: 400, message: message) }
}
