import EventStoreCore
import JSONTree

/// The payload of a pending event: whose token tells whether the effect is still running.
struct PendingPayload: Codable {
  var owner: UInt64

  /// The owner named by the pending event `event`; 0, which nobody holds, where it names none.
  static func owner(of event: Event) -> UInt64 {
    (try? EventCodec().decode(Self.self, from: event.payload))?.owner ?? 0
  }
}

/// The payload of a failed event.
struct FailedPayload: Codable {
  var error: String
  var type: String

  init(_ error: any Error) {
    self.error = "\(error)"
    self.type = String(describing: Swift.type(of: error))
  }
}

extension Delivery {
  /// The delivery of the action whose JSON is `action` under `id`. Two ways to write the same JSON
  /// are the same action.
  /// - Throws: `SessionError.invalidDeliveryID`; `JSONError` where `action` is not JSON.
  package init(id: String, action: [UInt8]) throws {
    let length = id.utf8.count
    guard (1...AppendValidation.deliveryIDBytes).contains(length) else {
      throw SessionError.invalidDeliveryID(bytes: length)
    }
    let canonical = try JSONValue(parsing: action).canonical
    self.init(id: id, bodyDigest: SHA256.digest(of: canonical))
  }
}
