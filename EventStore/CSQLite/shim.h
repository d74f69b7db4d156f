// What Swift cannot import by itself: SQLite's variadic functions and function-like macros, and the
// open-file-description locks and renameat2, whose names glibc shows only under _GNU_SOURCE.
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#ifndef F_OFD_GETLK
#define F_OFD_GETLK 36
#define F_OFD_SETLK 37
#endif

/// sqlite3_db_config of a flag.
static inline int refold_db_config(sqlite3 *db, int option, int value) {
  int now = 0;
  return sqlite3_db_config(db, option, value, &now);
}

/// Writes the bytes of the WAL over themselves, and syncs it. A result code of SQLite.
///
/// After a sync that failed, the system may take for written what never was: only what is written again
/// is written by the next sync (fsync(2); lwn.net/Articles/752063).
static inline int refold_secure_wal(sqlite3 *db) {
  sqlite3_file *wal = NULL;
  int code = sqlite3_file_control(db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &wal);
  if (code != SQLITE_OK || !wal || !wal->pMethods) return code;
  sqlite3_int64 size = 0;
  code = wal->pMethods->xFileSize(wal, &size);
  char bytes[1 << 16];
  for (sqlite3_int64 done = 0; code == SQLITE_OK && done < size; done += sizeof bytes) {
    sqlite3_int64 left = size - done;
    int count = left < (sqlite3_int64)sizeof bytes ? (int)left : (int)sizeof bytes;
    code = wal->pMethods->xRead(wal, bytes, count, done);
    if (code == SQLITE_OK) code = wal->pMethods->xWrite(wal, bytes, count, done);
  }
  if (code == SQLITE_OK && size > 0) code = wal->pMethods->xSync(wal, SQLITE_SYNC_NORMAL);
  return code;
}

/// The errno of the last operation that failed on the file whose pointer `which` gives, or 0.
static inline int refold_errno_of_file(sqlite3 *db, int which) {
  sqlite3_file *file = NULL;
  int code = 0;
  if (sqlite3_file_control(db, "main", which, &file) != SQLITE_OK || !file || !file->pMethods) return 0;
  // The journal of a temporary database is one in memory, which has no such function.
  if (!file->pMethods->xFileControl) return 0;
  if (file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &code) != SQLITE_OK) return 0;
  return code;
}

/// The errno of the last operation that failed on the WAL, else on the database file, or 0.
static inline int refold_last_errno(sqlite3 *db) {
  int code = refold_errno_of_file(db, SQLITE_FCNTL_JOURNAL_POINTER);
  return code ? code : refold_errno_of_file(db, SQLITE_FCNTL_FILE_POINTER);
}

/// The database file as SQLite has it open, or NULL. Another descriptor of it would, when it is closed,
/// drop SQLite's locks (sqlite.org/howtocorrupt.html, section 2.2).
static inline sqlite3_file *refold_file(sqlite3 *db) {
  sqlite3_file *file = NULL;
  int code = sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  return code == SQLITE_OK && file && file->pMethods ? file : NULL;
}

/// How many bytes the database file has, 0 where that cannot be told.
static inline int64_t refold_file_size(sqlite3 *db) {
  sqlite3_file *file = refold_file(db);
  sqlite3_int64 size = 0;
  return file && file->pMethods->xFileSize(file, &size) == SQLITE_OK ? size : 0;
}

/// Reads the `count` bytes at `offset` of the database file, which has them. A result code of SQLite.
static inline int refold_read_file(sqlite3 *db, int64_t offset, void *bytes, int count) {
  sqlite3_file *file = refold_file(db);
  return file ? file->pMethods->xRead(file, bytes, count, offset) : SQLITE_IOERR;
}

/// Binds `count` bytes of UTF-8 that SQLite copies. A NULL pointer is an empty text, not NULL.
static inline int refold_bind_text(sqlite3_stmt *s, int index, const void *bytes, uint64_t count) {
  return sqlite3_bind_text64(
      s, index, bytes ? (const char *)bytes : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// Binds the columns of an event to the parameters from `first` on. The payload's bytes must stay where
/// they are until the statement is reset. Gives what went wrong first, or 0.
static inline int refold_bind_event(
    sqlite3_stmt *s, int first, int64_t id, int64_t kind, int64_t cause, int64_t recorded_at,
    const void *bytes, uint64_t count) {
  int code = sqlite3_bind_int64(s, first, id);
  if (code == SQLITE_OK) code = sqlite3_bind_int64(s, first + 1, kind);
  if (code == SQLITE_OK) code = sqlite3_bind_int64(s, first + 2, cause);
  if (code == SQLITE_OK) code = sqlite3_bind_int64(s, first + 3, recorded_at);
  if (code != SQLITE_OK) return code;
  return sqlite3_bind_text64(
      s, first + 4, bytes ? (const char *)bytes : "", count, SQLITE_STATIC, SQLITE_UTF8);
}

/// Binds `count` bytes that SQLite copies. A NULL pointer is an empty blob, not NULL.
static inline int refold_bind_blob(sqlite3_stmt *s, int index, const void *bytes, uint64_t count) {
  return sqlite3_bind_blob64(s, index, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

static inline struct flock refold_one_byte(int64_t offset, short type) {
  struct flock lock;
  memset(&lock, 0, sizeof lock);
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = offset;
  lock.l_len = 1;
  return lock;
}

/// Locks the byte at `offset` for this open file description, without waiting. 0, or an errno.
static inline int refold_lock_byte(int fd, int64_t offset) {
  struct flock lock = refold_one_byte(offset, F_WRLCK);
  return fcntl(fd, F_OFD_SETLK, &lock) == 0 ? 0 : errno;
}

/// Locks the byte at `offset` for this open file description, as others may too. 0, or an errno.
static inline int refold_share_byte(int fd, int64_t offset) {
  struct flock lock = refold_one_byte(offset, F_RDLCK);
  return fcntl(fd, F_OFD_SETLK, &lock) == 0 ? 0 : errno;
}

/// Unlocks the byte at `offset`. 0, or an errno.
static inline int refold_unlock_byte(int fd, int64_t offset) {
  struct flock lock = refold_one_byte(offset, F_UNLCK);
  return fcntl(fd, F_OFD_SETLK, &lock) == 0 ? 0 : errno;
}

/// Whether another open file description has locked the byte at `offset`: 1 or 0, or -errno.
static inline int refold_byte_is_locked(int fd, int64_t offset) {
  struct flock lock = refold_one_byte(offset, F_WRLCK);
  if (fcntl(fd, F_OFD_GETLK, &lock) != 0) return -errno;
  return lock.l_type != F_UNLCK;
}

/// The f_type of the file system on which `path` lies, 0 where it cannot be told.
static inline uint32_t refold_file_system_type(const char *path) {
  struct statfs found;
  return statfs(path, &found) == 0 ? (uint32_t)found.f_type : 0;
}

/// Renames `from` to `to` unless there is something called that: 0, or an errno, EEXIST for one.
static inline int refold_rename_new(const char *from, const char *to) {
  const unsigned no_replace = 1;
  if (syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, no_replace) == 0) return 0;
  if (errno != ENOSYS && errno != EINVAL) return errno;
  // An old kernel or file system: a hard link is as good, where there is such a thing.
  if (link(from, to) != 0) return errno;
  unlink(from);
  return 0;
}
