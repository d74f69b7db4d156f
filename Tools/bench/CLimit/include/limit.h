// What SQLite gives to a C program that does nothing else: the limit that Refold is measured by.
#pragma once
#include <stdint.h>

/// What a log comes to, times left out: two logs of the same events give the same.
typedef struct {
  int64_t rows;
  uint64_t checksum;
} limit_log;

/// The actions repeat after so many.
static const int64_t limit_period = 1000;

/// The amount by which the action of this index, 0 and up, increases the counter.
static inline int64_t limit_amount(int64_t index) { return index % limit_period + 1; }

/// Inserts the events of `actions` actions of the counter into the session 1, which is empty, of the
/// store at `path`: an action and its mutation each, and a commit for every `per_commit` actions,
/// which is a transaction of its own, in WAL mode and synchronous FULL. The digests are zeros.
///
/// Gives 0, or SQLite's result code.
int limit_insert(const char *path, int64_t actions, int64_t per_commit);

/// Steps over the events of session 1 in the store at `path`, and touches every byte of them.
///
/// Gives 0, or SQLite's result code.
int limit_scan(const char *path, limit_log *log);

/// What a result code means.
const char *limit_message(int code);
