#include "limit.h"
#include <sqlite3.h>
#include <stdio.h>
#include <time.h>

enum { ACTION = 1, MUTATION = 2 };

/// The row id of an event of session 1.
static int64_t event_id(int64_t seq) { return (int64_t)1 << 32 | seq; }

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

/// What the inserts share.
typedef struct {
  sqlite3 *db;
  sqlite3_stmt *event;
  sqlite3_stmt *commit;
  int64_t seq;
  int64_t payload_bytes;
} inserting;

static int run(sqlite3_stmt *statement) {
  int code = sqlite3_step(statement);
  sqlite3_reset(statement);
  return code == SQLITE_DONE ? SQLITE_OK : code;
}

static int insert_event(inserting *in, int kind, int64_t cause, int64_t at, const char *payload,
                        int length) {
  in->seq += 1;
  in->payload_bytes += length;
  sqlite3_bind_int64(in->event, 1, event_id(in->seq));
  sqlite3_bind_int(in->event, 2, kind);
  sqlite3_bind_int64(in->event, 3, cause);
  sqlite3_bind_int64(in->event, 4, at);
  sqlite3_bind_text(in->event, 5, payload, length, SQLITE_STATIC);
  return run(in->event);
}

static int insert_action(inserting *in, int64_t index) {
  char payload[64];
  int64_t at = now();
  long long amount = limit_amount(index);
  int length = snprintf(payload, sizeof payload, "{\"increase\":{\"by\":%lld}}", amount);
  int code = insert_event(in, ACTION, 0, at, payload, length);
  if (code != SQLITE_OK) return code;
  length = snprintf(payload, sizeof payload, "{\"add\":{\"_0\":%lld}}", amount);
  return insert_event(in, MUTATION, in->seq, at, payload, length);
}

static int insert_commit(inserting *in, int64_t first_seq) {
  sqlite3_bind_int64(in->commit, 1, first_seq);
  sqlite3_bind_int64(in->commit, 2, in->seq);
  sqlite3_bind_int64(in->commit, 3, in->payload_bytes);
  return run(in->commit);
}

static int insert_transaction(inserting *in, int64_t start, int64_t end) {
  int64_t first_seq = in->seq + 1;
  int code = sqlite3_exec(in->db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
  for (int64_t index = start; code == SQLITE_OK && index < end; index++)
    code = insert_action(in, index);
  if (code == SQLITE_OK) code = insert_commit(in, first_seq);
  if (code == SQLITE_OK) code = sqlite3_exec(in->db, "COMMIT", NULL, NULL, NULL);
  return code;
}

static int insert_all(inserting *in, int64_t actions, int64_t per_commit) {
  int code = sqlite3_exec(
      in->db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL", NULL, NULL, NULL);
  if (code != SQLITE_OK) return code;
  code = sqlite3_prepare_v2(
      in->db,
      "INSERT INTO events(id, kind, cause, recorded_at, payload) VALUES(?1, ?2, ?3, ?4, ?5)", -1,
      &in->event, NULL);
  if (code != SQLITE_OK) return code;
  code = sqlite3_prepare_v2(
      in->db,
      "INSERT INTO commits(session, first_seq, last_seq, schema_version, payload_bytes, digest) "
      "VALUES(1, ?1, ?2, 1, ?3, zeroblob(32))",
      -1, &in->commit, NULL);
  for (int64_t start = 0; code == SQLITE_OK && start < actions; start += per_commit) {
    int64_t end = start + per_commit;
    code = insert_transaction(in, start, end < actions ? end : actions);
  }
  return code;
}

int limit_insert(const char *path, int64_t actions, int64_t per_commit) {
  inserting in = {0};
  int code = sqlite3_open_v2(path, &in.db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
  if (code == SQLITE_OK) code = insert_all(&in, actions, per_commit);
  sqlite3_finalize(in.event);
  sqlite3_finalize(in.commit);
  int closing = sqlite3_close(in.db);
  return code != SQLITE_OK ? code : closing;
}

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

const char *limit_message(int code) { return sqlite3_errstr(code); }
