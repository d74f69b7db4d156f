// What inserts of a log share.
#pragma once
#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  sqlite3 *db;
  sqlite3_stmt *event;
  sqlite3_stmt *commit;
  /// The last event inserted.
  int64_t seq;
  /// Of all payloads so far.
  int64_t payload_bytes;
} inserting;

/// An event of session 1, as it is stored.
typedef struct {
  int kind;
  int64_t cause;
  int64_t recorded_at;
  const char *payload;
  int length;
} event_row;

/// The row id of an event of session 1.
static inline int64_t event_id(int64_t seq) { return (int64_t)1 << 32 | seq; }

/// Opens the store at `path`. inserting_end is due, whatever comes back.
int inserting_begin(inserting *in, const char *path, bool full);

/// Inserts the event after the last one.
int insert_event(inserting *in, const event_row *row);

/// Inserts the commit of the events from `first_seq` to the last one.
int insert_commit(inserting *in, int64_t first_seq);

/// Runs SQL that gives no rows.
int inserting_execute(inserting *in, const char *sql);

/// Closes. Gives `code`, or what closing gave where that is OK.
int inserting_end(inserting *in, int code);
