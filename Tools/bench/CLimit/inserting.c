#include "inserting.h"

static int prepare(inserting *in) {
  int code = sqlite3_prepare_v2(
      in->db,
      "INSERT INTO events(id, kind, cause, recorded_at, payload) VALUES(?1, ?2, ?3, ?4, ?5)", -1,
      &in->event, NULL);
  if (code != SQLITE_OK) return code;
  return sqlite3_prepare_v2(
      in->db,
      "INSERT INTO commits(session, first_seq, last_seq, schema_version, payload_bytes, digest) "
      "VALUES(1, ?1, ?2, 1, ?3, zeroblob(32))",
      -1, &in->commit, NULL);
}

int inserting_begin(inserting *in, const char *path, bool full) {
  *in = (inserting){0};
  int code = sqlite3_open_v2(path, &in->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
  if (code == SQLITE_OK) code = inserting_execute(in, "PRAGMA journal_mode = WAL");
  if (code == SQLITE_OK)
    code = inserting_execute(in, full ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
  return code == SQLITE_OK ? prepare(in) : code;
}

static int run(sqlite3_stmt *statement) {
  int code = sqlite3_step(statement);
  sqlite3_reset(statement);
  return code == SQLITE_DONE ? SQLITE_OK : code;
}

int insert_event(inserting *in, const event_row *row) {
  in->seq += 1;
  in->payload_bytes += row->length;
  sqlite3_bind_int64(in->event, 1, event_id(in->seq));
  sqlite3_bind_int(in->event, 2, row->kind);
  sqlite3_bind_int64(in->event, 3, row->cause);
  sqlite3_bind_int64(in->event, 4, row->recorded_at);
  sqlite3_bind_text(in->event, 5, row->payload, row->length, SQLITE_STATIC);
  return run(in->event);
}

int insert_commit(inserting *in, int64_t first_seq) {
  sqlite3_bind_int64(in->commit, 1, first_seq);
  sqlite3_bind_int64(in->commit, 2, in->seq);
  sqlite3_bind_int64(in->commit, 3, in->payload_bytes);
  return run(in->commit);
}

int inserting_execute(inserting *in, const char *sql) {
  return sqlite3_exec(in->db, sql, NULL, NULL, NULL);
}

int inserting_end(inserting *in, int code) {
  sqlite3_finalize(in->event);
  sqlite3_finalize(in->commit);
  int closing = sqlite3_close(in->db);
  return code != SQLITE_OK ? code : closing;
}
