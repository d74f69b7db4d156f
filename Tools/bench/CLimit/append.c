// What the disk gives: bytes behind one another, each group of them durable before the next one.
#include "limit.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int write_all(int file, const char *bytes, int64_t count) {
  while (count > 0) {
    ssize_t written = write(file, bytes, (size_t)count);
    if (written < 0 && errno != EINTR) return errno;
    if (written < 0) continue;
    bytes += written;
    count -= written;
  }
  return 0;
}

static int append(int file, int64_t bytes, int64_t groups) {
  int64_t size = bytes / groups + 1;
  char *group = malloc((size_t)size);
  if (group == NULL) return ENOMEM;
  memset(group, 'x', (size_t)size);
  int code = 0;
  for (int64_t index = 0; code == 0 && index < groups; index++) {
    code = write_all(file, group, size);
    if (code == 0 && fdatasync(file) != 0) code = errno;
  }
  free(group);
  return code;
}

int limit_append(const char *path, int64_t bytes, int64_t groups) {
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0) return errno;
  int code = append(file, bytes, groups);
  if (close(file) != 0 && code == 0) code = errno;
  return code;
}
