// The counter's events, made up as they are inserted.
#include "inserting.h"
#include "limit.h"
#include <stdio.h>
#include <time.h>

enum { ACTION = 1, MUTATION = 2 };

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

static int insert_action(inserting *in, int64_t index) {
  char payload[64];
  long long amount = limit_amount(index);
  event_row row = {.kind = ACTION, .cause = 0, .recorded_at = now(), .payload = payload};
  row.length = snprintf(payload, sizeof payload, "{\"increase\":{\"by\":%lld}}", amount);
  int code = insert_event(in, &row);
  if (code != SQLITE_OK) return code;
  row.kind = MUTATION;
  row.cause = in->seq;
  row.length = snprintf(payload, sizeof payload, "{\"add\":{\"_0\":%lld}}", amount);
  return insert_event(in, &row);
}

static int insert_transaction(inserting *in, int64_t start, int64_t end) {
  int64_t first_seq = in->seq + 1;
  int code = inserting_execute(in, "BEGIN IMMEDIATE");
  for (int64_t index = start; code == SQLITE_OK && index < end; index++)
    code = insert_action(in, index);
  if (code == SQLITE_OK) code = insert_commit(in, first_seq);
  return code == SQLITE_OK ? inserting_execute(in, "COMMIT") : code;
}

int limit_insert(const char *path, int64_t actions, int64_t per_commit, bool full) {
  inserting in;
  int code = inserting_begin(&in, path, full);
  for (int64_t start = 0; code == SQLITE_OK && start < actions; start += per_commit) {
    int64_t end = start + per_commit;
    code = insert_transaction(&in, start, end < actions ? end : actions);
  }
  return inserting_end(&in, code);
}
