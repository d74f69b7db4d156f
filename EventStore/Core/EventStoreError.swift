/// Everything that a store can refuse or fail at.
public enum EventStoreError: Error, Hashable, Sendable {
  // What was asked for is not there, or is there already.
  case noSuchSession(String)
  case noSuchEvent(session: String, seq: Seq, last: Seq)
  case sessionExists(SessionName)
  case invalidSessionName(String, reason: String)

  // An append that must not happen.
  case versionConflict(expected: Version, actual: Version)
  case invalidAppend(session: String, reason: String)
  case sessionFull(String)
  case forkTooDeep(session: String)
  case storeFull

  // The place where the store lies.
  case noSuchStore(path: String)
  case cannotOpen(path: String, reason: String)
  case notAStore(path: String, reason: String)
  case newerFormat(path: String, found: Int, known: Int)
  case networkFileSystem(path: String, kind: String)
  case locked(path: String, seconds: Double)
  case readOnly(path: String)
  case diskFull(path: String)
  case removed(path: String)
  case closed

  // What SQLite or the system said.
  case damaged(path: String, reason: String)
  case system(operation: String, path: String, code: Int32)
  case sqlite(code: Int32, message: String, sql: String?, path: String)
}
