// What reading a log costs at least.
#include "inserting.h"
#include "limit.h"

static int scan(sqlite3_stmt *events, limit_log *log) {
  sqlite3_bind_int64(events, 1, event_id(0));
  sqlite3_bind_int64(events, 2, event_id(0xffffffff));
  int code;
  while ((code = sqlite3_step(events)) == SQLITE_ROW) {
    log->rows += 1;
    uint64_t sum = (uint64_t)sqlite3_column_int64(events, 0);
    sum += (uint64_t)sqlite3_column_int64(events, 1);
    sum += (uint64_t)sqlite3_column_int64(events, 2);
    // Read as the others are; not in the sum, because each log has times of its own.
    (void)sqlite3_column_int64(events, 3);
    const unsigned char *payload = sqlite3_column_text(events, 4);
    int length = sqlite3_column_bytes(events, 4);
    log->payload_bytes += length;
    for (int index = 0; index < length; index++) sum = sum * 31 + payload[index];
    log->checksum = log->checksum * 31 + sum;
  }
  return code == SQLITE_DONE ? SQLITE_OK : code;
}

int limit_scan(const char *path, limit_log *log) {
  sqlite3 *db = NULL;
  sqlite3_stmt *events = NULL;
  *log = (limit_log){0};
  int code = sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
  if (code == SQLITE_OK)
    code = sqlite3_prepare_v2(
        db,
        "SELECT id, kind, cause, recorded_at, payload FROM events WHERE id > ?1 AND id <= ?2 "
        "ORDER BY id",
        -1, &events, NULL);
  if (code == SQLITE_OK) code = scan(events, log);
  sqlite3_finalize(events);
  int closing = sqlite3_close(db);
  return code != SQLITE_OK ? code : closing;
}

int limit_forget_snapshots(const char *path) {
  sqlite3 *db = NULL;
  int code = sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
  if (code == SQLITE_OK) code = sqlite3_exec(db, "DELETE FROM snapshots", NULL, NULL, NULL);
  int closing = sqlite3_close(db);
  return code != SQLITE_OK ? code : closing;
}

const char *limit_message(int code) { return sqlite3_errstr(code); }

const char *limit_sqlite_version(void) { return sqlite3_libversion(); }
