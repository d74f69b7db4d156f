import EventStoreCore
import JSONTree
import Refold
import Testing

// How messages speak of events and values.
extension TestStore {
  /// Fails the test because `found` came instead of what `call` names; `diff` leads from that to it.
  func reportUnexpected(
    _ found: Event, instead diff: ValueDiff?, _ call: AssertedCall
  ) throws {
    var message = "\(call.name): something else came: \(Self.words(found))."
    if let diff, found.header.kind != .action || call.name.contains("action:") {
      message += "\n(- expected, + given)\n\n\(diff.text)\n"
    }
    message += "\nAssert what comes in the order in which it comes, "
    message += "or change mutate(action:state:)."
    report(message, at: call.location)
  }

  /// Fails the test for those of `events` that it had to assert; `reason` says why that is wrong.
  func reportUnasserted(_ events: some Collection<Event>, _ call: AssertedCall, _ reason: String) {
    let events = events.filter(Self.isToBeAsserted)
    if events.isEmpty { return }
    let message = Self.list(events, "\(call.name): this \(reason)")
    if exhaustivity.isOn {
      report(message, at: call.location)
    } else {
      reportSkipped(message, at: call.location)
    }
  }

  /// `title`, and a line for each of `events`.
  static func list(_ events: [Event], _ title: String) -> String {
    title + "\n\n" + events.map { "  + \(words($0))" }.joined(separator: "\n")
  }

  /// `mutation 5 of action 3: {"add":{"_0":2}}`.
  static func words(_ event: Event) -> String {
    let header = event.header
    let cause =
      switch header.kind {
      case .action: ""
      case .mutation where header.cause == .zero: " from outside any action"
      case .mutation, .pending, .completed, .cancelled, .failed: " of action \(header.cause)"
      }
    return "\(header.kind.name) \(header.seq)\(cause): \(content(of: event))"
  }

  static func content(of event: Event) -> String { cut("\(JSONValue(payload: event.payload))") }

  /// What the log keeps of `error`.
  static func payload(of error: any Error) -> JSONValue {
    ["error": .string("\(error)"), "type": .string(String(describing: type(of: error)))]
  }

  /// `value` as Swift prints it, cut where it gets long.
  static func short(_ value: Any) -> String { cut("\(value)", to: 80) }

  private static func cut(_ text: String, to length: Int = 240) -> String {
    text.count > length ? text.prefix(length) + "…" : text
  }
}
