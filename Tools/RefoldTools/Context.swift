import EventStoreCore
import EventStoreSQLite
import Foundation
import Refold
import Synchronization

/// What a command works with: the tool's reactors, the store, the console.
final class Context: Sendable {
  let tool: Tool
  let console: Console
  let storePath: String
  let isJSON: Bool
  /// What secrets are digested with in this store.
  let secretKey: SecretKey
  let patience: Double
  private let openStore = Mutex<SQLiteEventStore?>(nil)

  init(_ arguments: Arguments, tool: Tool, console: Console) throws {
    self.tool = tool
    self.console = console
    let environment = ProcessInfo.processInfo.environment
    storePath =
      arguments.value("--store") ?? environment["REFOLD_STORE"].flatMap { $0.isEmpty ? nil : $0 }
      ?? "refold.sqlite"
    isJSON = arguments.has("--json")
    secretKey = SecretKeyFile(beside: storePath).key
    patience = try arguments.seconds("--wait") ?? 10
    console.setColor(try arguments.choice("--color", Console.ColorChoice.self) ?? .auto)
  }

  /// The store for a command that only reads; it must be there already.
  func storeForReading() throws -> SQLiteEventStore { try store(.readOnly) }

  /// The store for a command that writes, created where there is none.
  func storeForWriting(
    synchronous: SQLiteEventStore.Synchronous = .full
  ) throws -> SQLiteEventStore {
    try store(.readWriteCreating, synchronous)
  }

  /// The store for a command that adds to what is there; it must be there already.
  func existingStoreForWriting() throws -> SQLiteEventStore { try store(.readWrite) }

  private func store(
    _ access: SQLiteEventStore.Access,
    _ synchronous: SQLiteEventStore.Synchronous = .full
  ) throws -> SQLiteEventStore {
    var options = SQLiteEventStore.Options()
    options.synchronous = synchronous
    options.patience = patience
    options.access = access
    do {
      let store = try SQLiteEventStore(path: storePath, options: options)
      openStore.withLock { $0 = store }
      return store
    } catch EventStoreError.noSuchStore(let path) {
      throw Failure(
        .notFound, "there is no store at \(path). Name another with --store, or make one with run.")
    }
  }

  /// The session that `name` means, `@last` included.
  func session(_ name: String, in store: any EventStore) throws -> SessionInfo {
    if name == "@last" { return try newestSession(in: store) }
    guard let info = try store.session(named: SessionName(name)) else {
      throw Failure(
        .notFound,
        "there is no session \(Printable.line(name)) in \(storePath). "
          + "List what there is with: \(tool.name) sessions")
    }
    return info
  }

  /// What `@last` means.
  func newestSession(in store: any EventStore) throws -> SessionInfo {
    guard let newest = try store.newestSession() else {
      throw Failure(.notFound, "there is no session in \(storePath) yet, so no @last")
    }
    return newest
  }

  /// The reactor called `name`, for input.
  func reactor(named name: String) throws -> AnyReactor {
    if let reactor = tool.reactors.first(where: { $0.name == name }) { return reactor }
    let names = tool.reactors.map(\.name)
    let hint = nearest(name, among: names).map { " Did you mean \($0)?" } ?? ""
    throw Failure(
      .notFound,
      "there is no reactor \(Printable.line(name)).\(hint) "
        + "Linked in: \(names.joined(separator: ", "))")
  }

  /// A reactor that can replay `session`.
  func reactor(for session: SessionInfo) throws -> any Reactor {
    guard let entry = tool.reactors.first(where: { $0.name == session.reactor }) else {
      throw Failure(
        .notFound,
        "session \(Printable.line(session.name.rawValue)) was recorded by reactor "
          + "\(Printable.line(session.reactor)), which is not linked into this tool, so there is "
          + "no State to show. sessions, log, search, verify and export --as log work without it.")
    }
    return try entry.make()
  }

  /// Closes the store, if the command opened one and did not close it.
  func close() {
    let store = openStore.withLock { $0.take() }
    try? store?.close()
  }
}
