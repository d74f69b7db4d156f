// Events of any log, held in memory so that reading them is not in the time of their insertion.
#include "inserting.h"
#include "limit.h"
#include <stdlib.h>
#include <string.h>

struct limit_rows {
  /// The seq before the first one, and the payload bytes up to there.
  int64_t after;
  int64_t payload_bytes;
  int64_t count;
  event_row *rows;
  int64_t commit_count;
  int64_t *last_seqs;
  /// All payloads, one after the other; rows point into it.
  char *payloads;
};

static sqlite3_int64 number(sqlite3 *db, const char *sql, int64_t after, int *code) {
  sqlite3_stmt *statement = NULL;
  sqlite3_int64 result = 0;
  if (*code == SQLITE_OK) *code = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
  if (*code == SQLITE_OK) {
    sqlite3_bind_int64(statement, 1, after);
    *code = sqlite3_step(statement);
    if (*code == SQLITE_ROW) {
      result = sqlite3_column_int64(statement, 0);
      *code = SQLITE_OK;
    }
  }
  sqlite3_finalize(statement);
  return result;
}

static int allocate(sqlite3 *db, limit_rows *rows) {
  int code = SQLITE_OK;
  int64_t id = event_id(rows->after);
  rows->payload_bytes =
      number(db, "SELECT ifnull(sum(length(CAST(payload AS BLOB))), 0) FROM events WHERE id <= ?1",
             id, &code);
  int64_t count = number(db, "SELECT count(*) FROM events WHERE id > ?1", id, &code);
  int64_t commits =
      number(db, "SELECT count(*) FROM commits WHERE session = 1 AND last_seq > ?1", rows->after,
             &code);
  int64_t bytes = number(
      db, "SELECT ifnull(sum(length(CAST(payload AS BLOB))), 0) FROM events WHERE id > ?1", id,
      &code);
  if (code != SQLITE_OK) return code;
  rows->rows = calloc((size_t)count + 1, sizeof *rows->rows);
  rows->last_seqs = calloc((size_t)commits + 1, sizeof *rows->last_seqs);
  rows->payloads = malloc((size_t)bytes + 1);
  return rows->rows && rows->last_seqs && rows->payloads ? SQLITE_OK : SQLITE_NOMEM;
}

static int load_events(sqlite3 *db, limit_rows *rows) {
  sqlite3_stmt *events = NULL;
  int code = sqlite3_prepare_v2(
      db, "SELECT kind, cause, recorded_at, payload FROM events WHERE id > ?1 ORDER BY id", -1,
      &events, NULL);
  if (code != SQLITE_OK) return code;
  sqlite3_bind_int64(events, 1, event_id(rows->after));
  char *end = rows->payloads;
  while ((code = sqlite3_step(events)) == SQLITE_ROW) {
    event_row *row = &rows->rows[rows->count++];
    row->kind = sqlite3_column_int(events, 0);
    row->cause = sqlite3_column_int64(events, 1);
    row->recorded_at = sqlite3_column_int64(events, 2);
    const unsigned char *payload = sqlite3_column_text(events, 3);
    row->length = sqlite3_column_bytes(events, 3);
    row->payload = end;
    memcpy(end, payload, (size_t)row->length);
    end += row->length;
  }
  sqlite3_finalize(events);
  return code == SQLITE_DONE ? SQLITE_OK : code;
}

static int load_commits(sqlite3 *db, limit_rows *rows) {
  sqlite3_stmt *commits = NULL;
  int code = sqlite3_prepare_v2(
      db, "SELECT last_seq FROM commits WHERE session = 1 AND last_seq > ?1 ORDER BY last_seq", -1,
      &commits, NULL);
  if (code != SQLITE_OK) return code;
  sqlite3_bind_int64(commits, 1, rows->after);
  while ((code = sqlite3_step(commits)) == SQLITE_ROW)
    rows->last_seqs[rows->commit_count++] = sqlite3_column_int64(commits, 0);
  sqlite3_finalize(commits);
  return code == SQLITE_DONE ? SQLITE_OK : code;
}

int limit_load(const char *path, int64_t after, limit_rows **result) {
  limit_rows *rows = *result = calloc(1, sizeof *rows);
  if (rows == NULL) return SQLITE_NOMEM;
  rows->after = after;
  sqlite3 *db = NULL;
  int code = sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
  // Counted and read in one transaction: nothing comes in between.
  if (code == SQLITE_OK) code = sqlite3_exec(db, "BEGIN", NULL, NULL, NULL);
  if (code == SQLITE_OK) code = allocate(db, rows);
  if (code == SQLITE_OK) code = load_events(db, rows);
  if (code == SQLITE_OK) code = load_commits(db, rows);
  if (code == SQLITE_OK) code = sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
  sqlite3_close(db);
  return code;
}

int64_t limit_row_count(const limit_rows *rows) { return rows->count; }

int64_t limit_commit_count(const limit_rows *rows) { return rows->commit_count; }

static int insert_transaction(inserting *in, const limit_rows *rows, int64_t last_seq) {
  int64_t first_seq = in->seq + 1;
  int code = inserting_execute(in, "BEGIN IMMEDIATE");
  while (code == SQLITE_OK && in->seq < last_seq)
    code = insert_event(in, &rows->rows[in->seq - rows->after]);
  if (code == SQLITE_OK) code = insert_commit(in, first_seq);
  return code == SQLITE_OK ? inserting_execute(in, "COMMIT") : code;
}

int limit_insert_rows(const char *path, const limit_rows *rows, bool full) {
  inserting in;
  int code = inserting_begin(&in, path, full);
  in.seq = rows->after;
  in.payload_bytes = rows->payload_bytes;
  for (int64_t index = 0; code == SQLITE_OK && index < rows->commit_count; index++)
    code = insert_transaction(&in, rows, rows->last_seqs[index]);
  return inserting_end(&in, code);
}

void limit_free_rows(limit_rows *rows) {
  if (rows == NULL) return;
  free(rows->rows);
  free(rows->last_seqs);
  free(rows->payloads);
  free(rows);
}
