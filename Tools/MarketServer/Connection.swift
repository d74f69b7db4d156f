import Foundation
import SampleReactors

/// A client's connection: its requests are read and answered one after the other, on a thread of
/// its own, which it blocks.
struct Connection {
  let number: Int
  let stream: ClientStream
  let router: Router
  let script: FaultScript
  let log: RequestLog
  let observer: @Sendable (ReceivedRequest, RequestEnd) -> Void

  /// What a body may be long: an image and some more.
  static let maximumBodyBytes = PostImage.maximumBytes + (2 << 20)

  func serve() {
    defer { stream.end() }
    let reader = RequestReader(stream: stream, maximumBodyBytes: Self.maximumBodyBytes)
    while true {
      switch reader.next() {
      case .request(let request):
        guard answer(request) else { return }
      case .refusal(let refusal):
        try? write(Answer(refusal), keepsAlive: false)
        return stream.linger()
      case .end: return
      }
    }
  }

  /// Answers `request`; whether the connection goes on.
  private func answer(_ request: ReceivedRequest) -> Bool {
    let logged = log.arrived(request, over: number)
    let (end, goesOn) = delivered(request)
    log.ended(logged, end)
    observer(request, end)
    return goesOn
  }

  private func delivered(_ request: ReceivedRequest) -> (RequestEnd, goesOn: Bool) {
    let faults = script.take(for: request)
    for fault in faults where isClosed(after: fault) { return (.closedByClient, false) }
    let answer = faults.lazy.compactMap(Answer.init).first ?? router.answer(request)
    do {
      for fault in faults where try breaksOff(answer, by: fault) { return (.brokenOff, false) }
      try write(answer, keepsAlive: request.keepsAlive)
    } catch {
      return (.closedByClient, false)
    }
    return (.answered(answer.status), request.keepsAlive)
  }

  /// Waits as `fault` says; whether the client has gone meanwhile.
  private func isClosed(after fault: Fault) -> Bool {
    let end: ClientStream.WaitEnd
    switch fault {
    case .held(let gate): end = stream.wait(for: gate.wake)
    case .delay(let seconds): end = stream.wait(for: nil, seconds: seconds)
    case .status, .body, .raw, .redirect, .truncated, .brokenChunks, .reset: return false
    }
    switch end {
    case .happened, .time: return false
    case .closed: return true
    }
  }

  /// Writes as much of `answer` as `fault` allows; false where it allows everything.
  private func breaksOff(_ answer: Answer, by fault: Fault) throws -> Bool {
    let half = answer.body.prefix(answer.body.count / 2)
    switch fault {
    case .truncated:
      let length = Answer.BodyLength.bytes(answer.body.count + 1)
      try stream.write(answer.head(keepsAlive: true, length: length).utf8)
      try stream.write(half)
    case .brokenChunks:
      try stream.write(answer.head(keepsAlive: true, length: .chunked).utf8)
      try stream.write("\(String(answer.body.count + 1, radix: 16))\r\n".utf8)
      try stream.write(half)
    case .raw(let bytes): try stream.write(bytes)
    case .reset: stream.resetOnClose()
    case .held, .delay, .status, .body, .redirect: return false
    }
    return true
  }

  private func write(_ answer: Answer, keepsAlive: Bool) throws {
    let head = answer.head(keepsAlive: keepsAlive, length: .bytes(answer.body.count))
    try stream.write(Array(head.utf8) + answer.body)
  }
}

extension Answer {
  /// What `fault` has answered; nil where it leaves that to the routes.
  fileprivate init?(_ fault: Fault) {
    switch fault {
    case .status(let status, let code, let retryAfter):
      // A client takes the message of this code for a noun.
      let message = code == MarketWire.notFoundCode ? "what was asked for" : Self.faultMessage
      self = .failure(status, code: code ?? "FAULT", message)
      if let retryAfter { headers.append(("Retry-After", "\(retryAfter)")) }
    case .body(let bytes, let type): self.init(status: 200, type: type, body: bytes)
    case .redirect(let place): self.init(status: 302, headers: [("Location", place)])
    case .held, .delay, .raw, .truncated, .brokenChunks, .reset: return nil
    }
  }

  private static let faultMessage = "a fault that was asked for"
}
