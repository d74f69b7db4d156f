import EventStoreCore
import EventStoreSQLite
import EventStoreTesting
import Synchronization

/// A small store that has a bit of everything, for tests that damage it.
///
/// Event ids of session s1 are 4294967296 + seq; its commits hold seq 1 to 4, 5 to 6, 7 to 8. The
/// fork s2, session 2, begins behind seq 5 and holds seq 6 to 7; s3 is an empty fork.
enum SampleStore {
  /// Makes one in `folder`.
  static func make(in folder: TemporaryFolder) throws {
    let store = try folder.store()
    try fill(store)
    try store.close()
  }

  /// Makes the sessions in `store`, which is empty.
  static func fill(_ store: any EventStore) throws {
    let root = try store.createSession("s1")
    var batch = EventBatch(actions: 2, after: .zero)
    batch.setDelivery(Delivery("cmd-1"), at: 0)
    try store.append(batch, to: root)
    try store.append(EventBatch(actions: 1, after: Seq(4)), to: root)
    try store.append(to: root, [(.action, 0, "a"), (.pending, 7, "p")])
    let fork = try store.fork(root, at: 5, named: "s2")
    try store.append(EventBatch(actions: 1, after: Seq(5)), to: fork)
    try store.fork(root, at: 6, named: "s3")
    try store.createSession("s4")
    try store.save(
      Snapshot(
        seq: Seq(3), foldID: "f", logDigest: try store.digest(of: root, at: Seq(3)), state: []),
      of: root)
  }

  /// What verify finds in the store in `folder`, or in its session called `name`.
  static func verify(_ folder: TemporaryFolder, _ name: String? = nil) throws -> [String] {
    let store = try folder.store("store.sqlite", .init(access: .readOnly))
    let session = try name.flatMap { try store.session(named: SessionName($0))?.id }
    let findings = Mutex<[String]>([])
    try store.verify(session) { finding in findings.withLock { $0.append(finding.description) } }
    try store.close()
    return findings.withLock { $0 }
  }
}
