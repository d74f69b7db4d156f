import Foundation

/// What is asked of a server.
struct HTTPRequest: Sendable {
  /// What is done with what the path names.
  enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"
  }

  /// A body and its media type.
  struct Body: Sendable {
    var bytes: Data
    var type: String

    static func json(_ bytes: [UInt8]) -> Body {
      Body(bytes: Data(bytes), type: "application/json")
    }
  }

  var method: Method
  /// The parts of the path, as they are: what needs it is escaped on the way.
  var path: [String]
  /// The query's names and values, in order, as they are.
  var query: [(name: String, value: String)] = []
  var body: Body?

  static func get(_ path: String..., query: [(name: String, value: String)] = []) -> HTTPRequest {
    HTTPRequest(method: .get, path: path, query: query)
  }
}
