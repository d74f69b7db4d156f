import EventStoreCore

/// Whom to tell what became of an action.
package enum Reply: Sendable {
  case nobody
  /// Who sent it under this number: the session's `onAcknowledged` and `onRefused` are told.
  case number(Int)
  case call(@Sendable (Result<Receipt, any Error>) -> Void)
}

/// Because of which action another one is sent.
package struct ActionSender: Sendable {
  /// The seq of the action whose effect sends it, `Seq.zero` for input.
  let cause: Seq
  /// Whether `cause` is the tag of an action in `transform(action:)`, which may have another seq by
  /// the time that this one is decided.
  let isTag: Bool

  /// Input.
  package static var outside: ActionSender { ActionSender(cause: .zero, isTag: false) }
}

/// An action that waits for its turn, as what needs not know the reactor sees it.
protocol Accepted: AnyObject, Sendable {
  /// The exact bytes that the log keeps.
  var payload: [UInt8] { get }
  var delivery: Delivery? { get }
  var sender: ActionSender { get }
  var reply: Reply { get }
}

/// An action as it was accepted, and whom to tell when it is durable.
final class AcceptedAction<R: Reactor>: Accepted {
  let action: R.Action
  let payload: [UInt8]
  let delivery: Delivery?
  let sender: ActionSender
  let reply: Reply

  init(
    _ action: R.Action, payload: [UInt8], delivery: Delivery? = nil, sender: ActionSender,
    reply: Reply
  ) {
    self.action = action
    self.payload = payload
    self.delivery = delivery
    self.sender = sender
    self.reply = reply
  }
}
