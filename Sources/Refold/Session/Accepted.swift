import EventStoreCore

/// Whom to tell what became of an action.
package enum Reply: Sendable {
  case nobody
  /// Who sent it under this number: the session's `onAcknowledged` and `onRefused` are told.
  case number(Int)
  case call(@Sendable (Result<Receipt, any Error>) -> Void)
}

/// An action that waits for its turn, as what needs not know the reactor sees it.
protocol Accepted: AnyObject, Sendable {
  /// The exact bytes that the log keeps.
  var payload: [UInt8] { get }
  var delivery: Delivery? { get }
  /// The action whose effect sent it, `Seq.zero` for input.
  var cause: Seq { get }
  var reply: Reply { get }
}

/// An action as it was accepted, and whom to tell when it is durable.
final class AcceptedAction<R: Reactor>: Accepted {
  let action: R.Action
  let payload: [UInt8]
  let delivery: Delivery?
  let cause: Seq
  let reply: Reply

  init(
    _ action: R.Action, payload: [UInt8], delivery: Delivery? = nil, cause: Seq, reply: Reply
  ) {
    self.action = action
    self.payload = payload
    self.delivery = delivery
    self.cause = cause
    self.reply = reply
  }
}
