import EventStoreCore
import Testing

@Suite("An error says what was wrong, where, and what to do")
struct MessageTests {
  @Test(
    arguments: [
      (
        .noSuchSession("s9"),
        "there is no session s9 in the store. List the sessions to see which there are."
      ),
      (
        .noSuchEvent(session: "s1", seq: Seq(9), last: Seq(4)),
        "session s1 has no seq 9: it ends at 4."
      ),
      (
        .cannotOpen(path: "sessions/app.sqlite", reason: "the folder is not writable"),
        "cannot open sessions/app.sqlite: the folder is not writable. "
          + "Choose another place for the store."
      ),
      (
        .locked(path: "app.sqlite", seconds: 10),
        "app.sqlite is locked: other writers held it for 10 s. "
          + "Wait until they are done, or allow a longer wait."
      ),
      (
        .locked(path: "app.sqlite", seconds: 0.5),
        "app.sqlite is locked: other writers held it for 0.5 s. "
          + "Wait until they are done, or allow a longer wait."
      ),
      (
        .newerFormat(path: "app.sqlite", found: 3, known: 1),
        "app.sqlite was written by a newer version: its format is 3, this one knows 1. "
          + "Update Refold to open it."
      ),
      (
        .invalidAppend(session: "s1", reason: "there is nothing to append"),
        "cannot append to session s1: there is nothing to append."
      ),
      (
        .versionConflict(expected: Seq(3), actual: Seq(5)),
        "the session's version is 5, not 3: somebody else appended. "
          + "Read what is new and decide again."
      ),
      (
        .system(operation: "create", path: "app.sqlite-lock", code: 28),
        "cannot create app.sqlite-lock: No space left on device (errno 28)."
      ),
      (
        .sqlite(code: 1, message: "no such table: x", sql: "SELECT 1", path: "app.sqlite"),
        "SQLite failed on app.sqlite: no such table: x (code 1), while executing: SELECT 1."
      ),
      (
        .invalidSessionName("a\u{7}", reason: "it contains a control character"),
        "\"a\\u{07}\" cannot name a session: it contains a control character. "
          + "A name has 1 to 255 bytes, no control characters, and no @ or - in front."
      ),
    ] as [(EventStoreError, String)])
  func message(_ error: EventStoreError, _ message: String) {
    #expect(error.description == message)
  }
}
