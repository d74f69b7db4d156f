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
  /// Whether body or answer hold secrets: then no message quotes what the server said.
  var isSecret = false

  static func get(_ path: String..., query: [(name: String, value: String)] = []) -> HTTPRequest {
    HTTPRequest(method: .get, path: path, query: query)
  }
}

extension HTTPRequest {
  /// Whether `part` can be a part of a path. What reads an address on the way takes `.` and `..` out,
  /// escaped or not, and an empty part is one that is not there.
  static func isPathPart(_ part: String) -> Bool { !["", ".", ".."].contains(part) }

  /// What is asked for at the API below `base`, where it can be: nil where a part of the path cannot.
  func url(below base: URL) -> URL? {
    guard path.allSatisfy(Self.isPathPart) else { return nil }
    var text = base.absoluteString
    while text.hasSuffix("/") { text.removeLast() }
    text += path.map { "/" + Self.escaped($0) }.joined()
    if !query.isEmpty {
      let pairs = query.map { "\(Self.escaped($0.name))=\(Self.escaped($0.value))" }
      text += "?" + pairs.joined(separator: "&")
    }
    return URL(string: text)
  }

  /// `text` with all but the characters that never need it escaped (RFC 3986, 2.3): a plus too, which
  /// many servers take for a space.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        result.unicodeScalars.append(UnicodeScalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        result += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return result
  }
}
