import EventStoreCore
import Refold

/// A session of a sample, and what its actions came to.
struct SampleSession<R: Reactor>: Sendable {
  private let store: InMemoryEventStore
  let session: Session<R>

  static func open(_ reactor: R) async throws -> SampleSession {
    let store = InMemoryEventStore()
    return SampleSession(
      store: store, session: try await Session.open(reactor, named: "s", in: store))
  }

  var state: R.State { session.currentState }

  /// Sends `action`, waits for its whole effect, and gives its mutations by name.
  @discardableResult
  func run(_ action: R.Action) async throws -> [String] {
    let receipt = try await session.send(action)
    _ = await receipt.finished
    return try mutations(of: receipt)
  }

  /// What came of the action of `receipt` so far, by name.
  func mutations(of receipt: Receipt) throws -> [String] {
    var names: [String] = []
    try store.forEachEvent(of: session.info.id) { header, payload in
      guard header.kind == .mutation, header.cause == receipt.seq else { return }
      let mutation = try EventCodec().decode(R.Mutation.self, from: payload)
      let child = Mirror(reflecting: mutation).children.first
      let name = child?.label ?? "\(mutation)"
      names.append((child?.value as? Bool).map { "\(name)(\($0))" } ?? name)
    }
    return names
  }
}
