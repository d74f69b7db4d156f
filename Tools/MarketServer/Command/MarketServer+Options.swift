import SampleReactors

extension MarketServer {
  /// A server as the command's `options` want it, which tells each request in a line: method, target
  /// and status. Never a header or a body: those may hold tokens.
  ///
  /// - Throws: `SystemError`, such as for a port that is taken.
  public convenience init(
    _ options: ServerOptions, tell: @escaping @Sendable (String) -> Void
  ) throws {
    try self.init(
      backend: MarketBackend(accessLifetime: options.accessLifetime), port: options.port,
      keepsLog: false
    ) { request, end in
      tell("\(request.method) \(Self.printable(request.target)) -> \(end)")
    }
    if options.delay > 0 { slowDown(by: options.delay) }
    for rule in options.faults {
      script.add(rule.faults, for: rule.pattern, times: rule.times)
    }
  }

  /// A terminal must not be told what to do by whoever asks something.
  private static func printable(_ target: String) -> String {
    String(
      String.UnicodeScalarView(target.unicodeScalars.map { (" "..."~").contains($0) ? $0 : "?" }))
  }
}

extension RequestEnd: CustomStringConvertible {
  /// The status, or what came instead of an answer.
  public var description: String {
    switch self {
    case .answered(let status): "\(status)"
    case .brokenOff: "broken off, as was asked for"
    case .closedByClient: "closed by the client"
    }
  }
}
