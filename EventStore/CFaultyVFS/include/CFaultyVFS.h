// A SQLite VFS before the system's own that asks before each call whether it may happen, and tells of
// each that did (sqlite.org/vfs.html): what FaultyDisk is built on. For tests.
#pragma once
#include <stdbool.h>
#include <stdint.h>

/// What SQLite asks of a disk.
typedef enum {
  REFOLD_OPEN,
  REFOLD_READ,
  REFOLD_WRITE,
  REFOLD_TRUNCATE,
  REFOLD_SYNC,
  REFOLD_SIZE,
  REFOLD_LOCK,
  REFOLD_DELETE,
  REFOLD_ACCESS,
  REFOLD_MAP,      // a page of the shared memory
  REFOLD_SHM_LOCK, // a lock in the shared memory
} refold_call_kind;

/// One call. What its kind has no use for is 0.
typedef struct {
  refold_call_kind kind;
  /// The number that the answer to opening gave the file.
  int64_t file;
  /// The path of what is opened or deleted; NULL for a temporary file.
  const char *path;
  int64_t offset;
  /// The bytes to be written.
  const void *bytes;
  /// How many bytes; for truncation the new size.
  int64_t count;
  /// On opening: whether the file is a journal, the first sync of which makes its folder's entries
  /// durable as well. On deletion: whether it does so. On syncing: whether it does so.
  bool syncs_folder;
} refold_call;

/// Whether a call happens.
typedef struct {
  /// 0 where it does; else what SQLite is told, one of its result codes.
  int code;
  /// What errno then is.
  int error;
  /// How many bytes of a write that fails are written all the same.
  int64_t written;
  /// Gives what was read, its second half as if the file ended before it, and the code.
  bool reads_half;
  /// Says that all is well and does nothing: a disk that lies.
  bool skips;
  /// On opening: the file's number from here on.
  int64_t file;
} refold_answer;

/// Who is asked, from whatever thread uses a file.
typedef struct {
  void *context;
  refold_answer (*before)(void *context, const refold_call *call);
  /// Told of each call that happened; of the part of a write that did.
  void (*after)(void *context, const refold_call *call);
} refold_disk_hooks;

/// A VFS that is registered under a name of its own.
typedef struct refold_vfs refold_vfs;

/// Registers a VFS called `name`. NULL where that fails.
refold_vfs *refold_vfs_register(const char *name, refold_disk_hooks hooks);

/// How many of its files are open.
int64_t refold_vfs_open_files(refold_vfs *vfs);

/// Takes the VFS back. None of its files may be open.
void refold_vfs_unregister(refold_vfs *vfs);
