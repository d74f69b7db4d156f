import EventStoreTesting
import Foundation

/// A reactor whose effects take time, and what to ask of it.
struct EffectScenario {
  let reactor: String
  let settings: [String]
  let actions: [String]
  /// Whether the log has the actions as they were sent: secrets are replaced.
  let isVerbatim: Bool

  static let all = [
    EffectScenario(
      reactor: "network", settings: [], actions: [#""fetchData""#], isVerbatim: true),
    EffectScenario(
      reactor: "livestream", settings: [],
      actions: [
        #""viewDidLoad""#, #""startStreaming""#, #""stopStreaming""#, #""switchCamera""#,
        #""closeOnboarding""#,
      ], isVerbatim: true),
    EffectScenario(
      reactor: "home", settings: ["--set", "user=u1"],
      actions: [
        #""fetchPostList""#, #""loadNextPage""#, #"{"selectCategory":{"category":"food"}}"#,
        #"{"searchKeyword":{"keyword":"handmade"}}"#,
        #"{"toggleLike":{"isLiked":true,"postID":"p1"}}"#,
        #"{"toggleLike":{"isLiked":false,"postID":"p1"}}"#,
      ], isVerbatim: true),
    EffectScenario(
      reactor: "login", settings: [],
      actions: [
        #"{"googleLoginCompleted":{"idToken":"google-u1"}}"#,
        #"{"appleLoginCompleted":{"idToken":"apple-u2"}}"#,
      ], isVerbatim: false),
  ]
}

/// A server that takes requests and never answers: effects that ask it go on until they are killed.
final class SilentServer: Sendable {
  private let socket: Int32
  let url: String

  init() throws {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let server = Foundation.socket(AF_INET, kind, 0)
    try require(server >= 0, "no socket: errno \(errno)")
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        var length = size
        if bind(server, address, size) != 0 || listen(server, 4096) != 0 { return errno }
        return getsockname(server, address, &length) == 0 ? 0 : errno
      }
    }
    socket = server
    url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
    try require(code == 0, "no port: errno \(code)")
  }

  deinit { close(socket) }
}
