import Foundation

extension EventStoreError: CustomStringConvertible {
  /// What was wrong, where, and what to do.
  public var description: String {
    switch self {
    case .noSuchSession(let name):
      "there is no session \(name) in the store. List the sessions to see which there are."
    case .noSuchEvent(let session, let seq, let last):
      "session \(session) has no seq \(seq): it ends at \(last)."
    case .sessionExists(let name):
      "there is a session \(name) already. Choose another name."
    case .invalidSessionName(let name, let reason):
      "\"\(printable(name))\" cannot name a session: \(reason). "
        + "A name has 1 to 255 bytes, no control characters, and no @ or - in front."
    case .versionConflict(let expected, let actual):
      "the session's version is \(actual), not \(expected): somebody else appended. "
        + "Read what is new and decide again."
    case .invalidAppend(let session, let reason):
      "cannot append to session \(session): \(reason)."
    case .sessionFull(let session):
      "session \(session) is full: a session holds \(Seq.max) events. Go on in another one."
    case .forkTooDeep(let session):
      "session \(session) is a fork of forks, \(ForkLimits.generations) deep, and has no more forks. "
        + "Export its log and import it under another name, and go on from there."
    case .storeFull:
      "the store is full: it holds \(Int32.max) sessions. Go on in another store."
    case .noSuchStore(let path):
      "there is no store at \(path). Check the path."
    case .fileExists(let path):
      "there is a file \(path) already. Choose another name."
    case .inUse(let path, let beside):
      "\(path) is in use, or was not closed: \(beside) lies beside it. "
        + "If no process uses it, move both away first; else choose another name."
    case .cannotOpen(let path, let reason):
      "cannot open \(path): \(reason). Choose another place for the store."
    case .notAStore(let path, let reason):
      "\(path) is not a Refold store: \(reason). It was left as it is. Choose another file; "
        + "if it was a store, bring out what is intact with: refold recover \(path)"
    case .newerFormat(let path, let found, let known):
      "\(path) was written by a newer version: its format is \(found), this one knows \(known). "
        + "Update Refold to open it."
    case .networkFileSystem(let path, let kind):
      "\(path) lies on a network file system (\(kind)), which does not lock reliably. "
        + "Move the store to a local disk."
    case .locked(let path, let seconds):
      "\(path) is locked: other writers held it for \(brief(seconds)) s. "
        + "Wait until they are done, or allow a longer wait."
    case .readOnly(let path):
      "\(path) cannot be written: it was opened for reading, or permissions forbid it. "
        + "Check the permissions of the file and its folder."
    case .diskFull(let path):
      "no space is left for \(path): what was being written was not stored. Free some space."
    case .removed(let path):
      "\(path) was removed or replaced while it was open: nothing more is written. What was "
        + "acknowledged is in the file that was there. Put it back, or open what is there now."
    case .closed:
      "the store is closed. Open it again."
    case .damaged(let path, let reason):
      "\(path) is damaged: \(reason). Restore a backup, or bring out what is intact with: "
        + "refold recover \(path)"
    case .system(let operation, let path, let code):
      "cannot \(operation) \(path): \(String(cString: strerror(code))) (errno \(code))."
    case .sqlite(let code, let message, let sql, let path):
      "SQLite failed on \(path): \(message) (code \(code))"
        + (sql.map { ", while executing: \($0)" } ?? "") + "."
    }
  }
}

private func brief(_ seconds: Double) -> String {
  seconds == seconds.rounded() && seconds.magnitude < 1e9 ? String(Int(seconds)) : String(seconds)
}

/// What is shown of a name: all of one that can be.
private func printable(_ text: String) -> String {
  let most = 255
  let shown = text.unicodeScalars.prefix(most).map {
    $0.properties.generalCategory == .control ? $0.escaped(asASCII: true) : String($0)
  }
  return shown.joined() + (text.unicodeScalars.count > most ? "…" : "")
}
