import SampleReactors

/// Finds the route of a request.
///
/// To add an area: write `Router+Area.swift` beside this file, an extension of `Router` with a
/// `static let area: [Route]`, and add it to `all`.
struct Router: Sendable {
  let backend: MarketBackend

  /// Every route there is. Of two that match, the first answers.
  static let all: [Route] = auth + posts + registration + network + music + livestream

  /// What the request is answered.
  func answer(_ request: ReceivedRequest) -> Answer {
    var allowed: [String] = []
    for route in Self.all {
      guard let places = route.path.match(request.path) else { continue }
      if route.method == request.method { return answer(request, route, places) }
      allowed.append(route.method)
    }
    guard allowed.isEmpty else { return notAllowed(request, allowed) }
    return Answer(AppError.noRoute(path: "/" + request.path.joined(separator: "/")))
  }

  private func answer(
    _ request: ReceivedRequest, _ route: Route, _ places: [String: String]
  ) -> Answer {
    if route.needsKey, request[header: "apikey"] != MarketWire.demoKey {
      return .failure(
        400, code: "API_KEY",
        "the header apikey is missing or another: expected apikey: \(MarketWire.demoKey)")
    }
    if route.needsBody, !request.declaresBody {
      return .failure(411, code: "LENGTH_REQUIRED", "a body is needed, and its length")
    }
    do {
      return try route.answer(Call(request: request, places: places, backend: backend))
    } catch {
      return Answer(error)
    }
  }

  private func notAllowed(_ request: ReceivedRequest, _ allowed: [String]) -> Answer {
    let methods = allowed.joined(separator: ", ")
    var answer = Answer.failure(405, code: "METHOD_NOT_ALLOWED", "here can be said \(methods)")
    answer.headers.append(("Allow", methods))
    return answer
  }
}
