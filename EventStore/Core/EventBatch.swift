/// Events in a row, their payloads in one buffer: what is read as a page and appended as a commit.
///
/// Adding an event costs its bytes and no allocation of its own.
public struct EventBatch: Sendable {
  /// Place, kind, cause and time of each event.
  public private(set) var headers: [EventHeader] = []
  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  private var deliveries: [Int: Delivery] = [:]

  /// An empty batch.
  public init() {}

  /// How many events there are.
  public var count: Int { headers.count }

  /// Whether there are none.
  public var isEmpty: Bool { headers.isEmpty }

  /// The bytes of all payloads together.
  public var byteCount: Int { bytes.count }

  /// Whether, as a page, it holds no more.
  package var isFull: Bool {
    headers.count >= PageLimits.events || bytes.count >= PageLimits.bytes
  }

  /// Adds an event whose payload is copied from `payload`.
  public mutating func append(
    _ header: EventHeader, payload: some Collection<UInt8>, delivery: Delivery? = nil
  ) {
    bytes.append(contentsOf: payload)
    close(header, delivery)
  }

  /// Adds an event whose payload is copied from `payload`.
  public mutating func append(
    _ header: EventHeader, payload: UnsafeRawBufferPointer, delivery: Delivery? = nil
  ) {
    bytes.append(contentsOf: payload)
    close(header, delivery)
  }

  /// Adds an event whose payload is copied from `payload`; as the generic one, which other modules
  /// can only call without specialization.
  public mutating func append(
    _ header: EventHeader, payload: [UInt8], delivery: Delivery? = nil
  ) {
    bytes.append(contentsOf: payload)
    close(header, delivery)
  }

  /// Adds `event`.
  public mutating func append(_ event: Event) {
    append(event.header, payload: event.payload, delivery: event.delivery)
  }

  /// Adds all of `other` behind what is here.
  public mutating func append(contentsOf other: EventBatch) {
    for (index, delivery) in other.deliveries { deliveries[count + index] = delivery }
    let offset = bytes.count
    headers.append(contentsOf: other.headers)
    ends.append(contentsOf: other.ends.lazy.map { $0 + offset })
    bytes.append(contentsOf: other.bytes)
  }

  /// The events at `range`, as a batch of their own.
  public func slice(_ range: Range<Int>) -> EventBatch {
    var slice = EventBatch()
    for index in range { slice.append(self[index]) }
    return slice
  }

  /// Attaches `delivery` to the event at `index`.
  public mutating func setDelivery(_ delivery: Delivery, at index: Int) {
    precondition(headers.indices.contains(index), "no event at \(index)")
    deliveries[index] = delivery
  }

  /// Empties the batch and keeps its memory for the next page.
  public mutating func removeAll() {
    headers.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    deliveries.removeAll()
  }

  /// The event at `index`, with a payload of its own.
  public subscript(index: Int) -> Event {
    Event(
      header: headers[index], payload: Array(bytes[payloadRange(at: index)]),
      delivery: deliveries[index])
  }

  /// Whether any of the events has a delivery.
  package var hasDeliveries: Bool { !deliveries.isEmpty }

  /// The delivery of the event at `index`, if it has one.
  public func delivery(at index: Int) -> Delivery? {
    deliveries.isEmpty ? nil : deliveries[index]
  }

  /// Lends the payload of the event at `index`, without a copy.
  public func withPayload<T, E: Error>(
    at index: Int, _ body: (RawSpan) throws(E) -> T
  ) throws(E) -> T {
    try body(bytes.span.extracting(payloadRange(at: index)).bytes)
  }

  /// Lends each event in turn, its payload without a copy.
  public func visit(_ body: (EventHeader, RawSpan) throws -> Void) rethrows {
    let span = bytes.span
    var start = 0
    for index in headers.indices {
      let end = ends[index]
      try body(headers[index], span.extracting(start..<end).bytes)
      start = end
    }
  }

  /// All events in one piece; good only during the call that lends it.
  package struct UnsafeEvents {
    package let headers: UnsafeBufferPointer<EventHeader>
    fileprivate let ends: UnsafeBufferPointer<Int>
    fileprivate let bytes: UnsafeRawBufferPointer

    package var count: Int { headers.count }

    package func payload(at index: Int) -> UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(rebasing: bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]])
    }
  }

  /// Lends all events at once, for a loop in which every call counts.
  package func withUnsafeEvents<T>(_ body: (UnsafeEvents) throws -> T) rethrows -> T {
    try headers.withUnsafeBufferPointer { headers in
      try ends.withUnsafeBufferPointer { ends in
        try bytes.withUnsafeBytes { bytes in
          try body(UnsafeEvents(headers: headers, ends: ends, bytes: bytes))
        }
      }
    }
  }

  /// The events, each with a payload of its own.
  public var events: [Event] { headers.indices.map { self[$0] } }

  private func payloadRange(at index: Int) -> Range<Int> {
    (index == 0 ? 0 : ends[index - 1])..<ends[index]
  }

  private mutating func close(_ header: EventHeader, _ delivery: Delivery?) {
    if let delivery { deliveries[headers.count] = delivery }
    headers.append(header)
    ends.append(bytes.count)
  }
}
