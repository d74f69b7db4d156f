import SampleReactors

/// What the command `market-server` is asked for.
public struct ServerOptions: Sendable {
  /// Where to listen; 0 for any port that is free.
  public var port: UInt16 = 8080
  /// How long each request waits, in seconds.
  public var delay: Double = 0
  /// What goes wrong.
  public var faults: [FaultRule] = []
  /// How long an access token holds, in seconds.
  public var accessLifetime: Double = MarketBackend.accessLifetime
  /// Whether only the help is wanted.
  public var wantsHelp = false
  /// Whether only the list of routes is wanted.
  public var wantsRoutes = false

  /// A word of the command that means nothing.
  public struct Failure: Error, CustomStringConvertible {
    /// What was wrong, and what is possible.
    public let description: String
  }

  /// What `words` say, without the command's name.
  /// - Throws: `Failure`.
  public init(_ words: [String]) throws {
    var rest = words[...]
    while let option = rest.popFirst() {
      switch option {
      case "--help", "-h": wantsHelp = true
      case "--routes": wantsRoutes = true
      case "--port": port = try Self.value(&rest, option, "a port, 0 to 65535") { UInt16($0) }
      case "--delay": delay = try Self.value(&rest, option, Self.seconds, FaultRule.seconds)
      case "--fault":
        let text = try Self.value(&rest, option, "such as 'GET /posts=500'; see --help") { $0 }
        faults.append(try Self.rule(text))
      case "--access-lifetime":
        accessLifetime = try Self.value(&rest, option, Self.seconds, FaultRule.seconds)
      default: throw Failure(description: "there is no option \(option); see --help")
      }
    }
  }

  /// A rule that no request will ever meet is a mistake.
  private static func rule(_ text: String) throws -> FaultRule {
    let rule = try FaultRule(text)
    guard Router.all.contains(where: rule.pattern.mayMean) else {
      let routes = Router.all.map(\.description).joined(separator: ", ")
      throw Failure(
        description: "--fault: no route matches \(rule.pattern). There are: \(routes)")
    }
    return rule
  }

  /// Every route there is, a line each.
  public static var routes: String {
    Router.all.map { "\($0)\n" }.joined()
  }

  private static let seconds = "seconds, 0 to 86400"

  private static func value<T>(
    _ rest: inout ArraySlice<String>, _ option: String, _ expected: String,
    _ read: (String) -> T?
  ) throws -> T {
    guard let text = rest.popFirst() else {
      throw Failure(description: "\(option) needs a value: \(expected)")
    }
    guard let value = read(text) else {
      throw Failure(description: "\"\(text)\" is no value for \(option): expected \(expected)")
    }
    return value
  }

  /// What there is.
  public static let help = """
    market-server: the API that the samples speak to, on 127.0.0.1, until Ctrl-C

      --port N                   where to listen (8080); 0 for any port that is free
      --delay SECONDS            let each request wait before it is answered
      --fault 'REQUEST=FAULT'    what goes wrong, as often as needed; such as 'GET /posts=500'
      --access-lifetime SECONDS  how long an access token holds (900)
      --routes                   what can be asked, a line each
      --help                     this

    REQUEST is a method and a path, where {id} stands for any part: 'PUT /posts/{id}/like'. One that
    no route has is refused; --routes lists them.
    FAULT is a status, perhaps with a code (409:TAKEN), or one of delay:SECONDS, truncated, chunks,
    reset, not-utf8, not-json, empty; several with commas. *N behind it: the next N requests only.

    In another terminal:
      echo '"fetchPostList"' | refold run home --set api=http://127.0.0.1:8080 --set user=u1

    """
}
