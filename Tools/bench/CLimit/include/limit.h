// What SQLite and the disk give to a C program that does nothing else: the limits that Refold is
// measured by. Functions give 0, or SQLite's result code.
#pragma once
#include <stdbool.h>
#include <stdint.h>

/// What a log comes to, times left out: two logs of the same events give the same.
typedef struct {
  int64_t rows;
  int64_t payload_bytes;
  uint64_t checksum;
} limit_log;

/// The actions repeat after so many.
static const int64_t limit_period = 1000;

/// The amount by which the action of this index, 0 and up, increases the counter.
static inline int64_t limit_amount(int64_t index) { return index % limit_period + 1; }

/// Inserts the events of `actions` actions of the counter into the session 1, which is empty, of the
/// store at `path`: an action and its mutation each, and a commit for every `per_commit` actions,
/// which is a transaction of its own, in WAL mode. The digests are zeros.
///
/// `full`: synchronous FULL, so that each transaction is on disk before the next one; else NORMAL.
int limit_insert(const char *path, int64_t actions, int64_t per_commit, bool full);

/// Events in memory, and in which commits they were.
typedef struct limit_rows limit_rows;

/// Reads the events of session 1 in the store at `path` beyond `after`, with their commits.
/// `rows` is to be given to limit_free_rows, whatever comes back.
int limit_load(const char *path, int64_t after, limit_rows **rows);

/// How many events there are.
int64_t limit_row_count(const limit_rows *rows);

/// How many commits they were in.
int64_t limit_commit_count(const limit_rows *rows);

/// Inserts `rows` into the store at `path`, each commit a transaction, as limit_insert does.
int limit_insert_rows(const char *path, const limit_rows *rows, bool full);

void limit_free_rows(limit_rows *rows);

/// Steps over the events of session 1 in the store at `path`, and touches every byte of them.
int limit_scan(const char *path, limit_log *log);

/// Deletes the snapshots of the store at `path`, so that what follows is a fold of the whole log.
int limit_forget_snapshots(const char *path);

/// Appends `bytes` to a new file at `path` in `groups` equal pieces, each on disk before the next
/// one. Gives 0, or errno.
int limit_append(const char *path, int64_t bytes, int64_t groups);

/// Which SQLite this is.
const char *limit_sqlite_version(void);

/// What a result code of SQLite means.
const char *limit_message(int code);
