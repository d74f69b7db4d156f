/// Something that goes wrong on the way from a request to its answer.
public enum Fault: Sendable {
  /// The request waits until the gate is opened, before anything is done for it.
  case held(AnswerGate)
  /// It waits this long.
  case delay(seconds: Double)
  /// It is answered with this status, and nothing is done for it.
  case status(Int, code: String? = nil, retryAfter: Int? = nil)
  /// It is answered with these bytes, and nothing is done for it.
  case body([UInt8], type: String)
  /// These bytes are sent instead of an answer, whatever they are, and the connection ends.
  case raw([UInt8])
  /// It is sent elsewhere.
  case redirect(to: String)
  /// What is asked for is done, but the answer breaks off in the middle of its body.
  case truncated
  /// The same in the middle of a chunk, of which there may be any number.
  case brokenChunks
  /// What is asked for is done, and the connection is reset instead of an answer.
  case reset

  /// A body that is not UTF-8.
  public static let notUTF8 = Fault.body([0x22, 0xff, 0xfe, 0x22], type: "application/json")
  /// A body that is not JSON.
  public static let notJSON = Fault.body(Array("<html>".utf8), type: "text/html")
  /// A body of no bytes.
  public static let emptyBody = Fault.body([], type: "application/json")
}

/// Holds answers until it is opened, once and for all that wait at it.
public final class AnswerGate: Sendable {
  let wake: Wake

  /// A closed gate.
  /// - Throws: `SystemError` where the system has no pipe to give.
  public init() throws { wake = try Wake() }

  /// Lets everything pass, now and from now on.
  public func open() { wake.happen() }
}

/// Which requests are meant: `GET /posts`, `PUT /posts/{id}/like`.
public struct RequestPattern: Hashable, Sendable, CustomStringConvertible {
  private let method: String
  private let path: PathPattern
  /// As it was written.
  public let description: String

  /// The pattern `text`, whose method may be written small; nil where it is not a method and a path.
  public init?(_ text: String) {
    let words = text.split(separator: " ")
    guard words.count == 2, words[1].hasPrefix("/") else { return nil }
    method = words[0].uppercased()
    path = PathPattern(String(words[1]))
    description = text
  }

  /// Whether `request` is meant.
  public func matches(_ request: ReceivedRequest) -> Bool {
    request.method == method && path.match(request.path) != nil
  }

  /// Whether a request may be meant that `route` answers.
  func mayMean(_ route: Route) -> Bool { route.method == method && path.overlaps(route.path) }
}
