#include "CFaultyVFS.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct refold_vfs {
  sqlite3_vfs base; // first: SQLite sees only this
  sqlite3_vfs *system;
  refold_disk_hooks hooks;
  atomic_int_fast64_t open_files;
};

// An open file; the system's own lies behind it in the same memory.
typedef struct {
  sqlite3_file base;
  refold_vfs *vfs;
  int64_t number;
  bool syncs_folder;
} faulty_file;

static refold_vfs *faulty(sqlite3_vfs *vfs) { return (refold_vfs *)vfs; }
static faulty_file *own(sqlite3_file *file) { return (faulty_file *)file; }
static sqlite3_file *system_file(sqlite3_file *file) { return (sqlite3_file *)(own(file) + 1); }

static refold_answer ask(refold_vfs *vfs, const refold_call *call) {
  refold_answer answer = vfs->hooks.before(vfs->hooks.context, call);
  if (answer.code != SQLITE_OK) errno = answer.error;
  return answer;
}

static int tell(refold_vfs *vfs, const refold_call *call, int code) {
  if (code == SQLITE_OK) vfs->hooks.after(vfs->hooks.context, call);
  return code;
}

// Asks; where the call may not happen, leaves the function around it.
#define ASK(vfs, call)                                                                             \
  do {                                                                                             \
    refold_answer asked = ask(vfs, call);                                                          \
    if (asked.code != SQLITE_OK || asked.skips) return asked.code;                                 \
  } while (0)

// MARK: Files

static int file_close(sqlite3_file *file) {
  int code = system_file(file)->pMethods->xClose(system_file(file));
  own(file)->vfs->open_files--;
  return code;
}

static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  refold_call call = {REFOLD_READ, own(file)->number, .offset = offset, .count = count};
  refold_answer answer = ask(own(file)->vfs, &call);
  if (answer.code != SQLITE_OK && !answer.reads_half) return answer.code;
  int code = system_file(file)->pMethods->xRead(system_file(file), bytes, count, offset);
  if (code != SQLITE_OK || !answer.reads_half) return code;
  // What is missing is to be zero (sqlite.org/c3ref/io_methods.html).
  memset((char *)bytes + count / 2, 0, (size_t)(count - count / 2));
  return answer.code;
}

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  refold_call call = {
      REFOLD_WRITE, own(file)->number, .offset = offset, .bytes = bytes, .count = count};
  refold_answer answer = ask(own(file)->vfs, &call);
  if (answer.skips) return SQLITE_OK;
  if (answer.code != SQLITE_OK) call.count = answer.written;
  if (call.count == 0) return answer.code;
  int code =
      system_file(file)->pMethods->xWrite(system_file(file), bytes, (int)call.count, offset);
  code = tell(own(file)->vfs, &call, code);
  if (answer.code == SQLITE_OK) return code;
  errno = answer.error;
  return answer.code;
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  refold_call call = {REFOLD_TRUNCATE, own(file)->number, .count = size};
  ASK(own(file)->vfs, &call);
  return tell(
      own(file)->vfs, &call,
      system_file(file)->pMethods->xTruncate(system_file(file), size));
}

// The bytes stay in the system's cache, where every process sees them; what of them a loss of power
// leaves is for the hooks to say. So nothing is really synced, and a trial takes no time for it.
static int file_sync(sqlite3_file *file, int flags) {
  (void)flags;
  refold_call call = {
      REFOLD_SYNC, own(file)->number, .syncs_folder = own(file)->syncs_folder};
  ASK(own(file)->vfs, &call);
  own(file)->syncs_folder = false;
  return tell(own(file)->vfs, &call, SQLITE_OK);
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  refold_call call = {REFOLD_SIZE, own(file)->number};
  ASK(own(file)->vfs, &call);
  return system_file(file)->pMethods->xFileSize(system_file(file), size);
}

static int file_lock(sqlite3_file *file, int level) {
  refold_call call = {REFOLD_LOCK, own(file)->number};
  ASK(own(file)->vfs, &call);
  return system_file(file)->pMethods->xLock(system_file(file), level);
}

static int file_unlock(sqlite3_file *file, int level) {
  return system_file(file)->pMethods->xUnlock(system_file(file), level);
}

static int file_check_lock(sqlite3_file *file, int *found) {
  return system_file(file)->pMethods->xCheckReservedLock(system_file(file), found);
}

static int file_control(sqlite3_file *file, int what, void *argument) {
  // It would make the file longer without a write.
  if (what == SQLITE_FCNTL_SIZE_HINT) return SQLITE_OK;
  return system_file(file)->pMethods->xFileControl(system_file(file), what, argument);
}

static int file_sector_size(sqlite3_file *file) {
  return system_file(file)->pMethods->xSectorSize(system_file(file));
}

static int file_characteristics(sqlite3_file *file) {
  return system_file(file)->pMethods->xDeviceCharacteristics(system_file(file));
}

static int file_map(sqlite3_file *file, int page, int size, int extend, void volatile **memory) {
  refold_call call = {REFOLD_MAP, own(file)->number};
  refold_answer answer = ask(own(file)->vfs, &call);
  if (answer.code != SQLITE_OK) {
    *memory = NULL;
    return answer.code;
  }
  return system_file(file)->pMethods->xShmMap(system_file(file), page, size, extend, memory);
}

static int file_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
  if (flags & SQLITE_SHM_LOCK) {
    refold_call call = {REFOLD_SHM_LOCK, own(file)->number};
    ASK(own(file)->vfs, &call);
  }
  return system_file(file)->pMethods->xShmLock(system_file(file), offset, count, flags);
}

static void file_shm_barrier(sqlite3_file *file) {
  system_file(file)->pMethods->xShmBarrier(system_file(file));
}

static int file_shm_unmap(sqlite3_file *file, int deletes) {
  return system_file(file)->pMethods->xShmUnmap(system_file(file), deletes);
}

// Version 2: without memory-mapped reading, which would pass the hooks by.
static const sqlite3_io_methods methods = {
    2,           file_close,      file_read,    file_write,       file_truncate,
    file_sync,   file_size,       file_lock,    file_unlock,      file_check_lock,
    file_control, file_sector_size, file_characteristics,
    file_map,    file_shm_lock,   file_shm_barrier, file_shm_unmap,
};

// MARK: The file system

static int vfs_open(
    sqlite3_vfs *base, const char *path, sqlite3_file *file, int flags, int *flags_out) {
  refold_vfs *vfs = faulty(base);
  file->pMethods = NULL;
  int journals = SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL;
  refold_call call = {REFOLD_OPEN, .path = path};
  // As the system's VFS does it: by what is asked for, not by whether the file was there.
  call.syncs_folder = (flags & journals) && (flags & SQLITE_OPEN_CREATE);
  refold_answer answer = ask(vfs, &call);
  if (answer.code != SQLITE_OK) return answer.code;
  int code = vfs->system->xOpen(vfs->system, path, system_file(file), flags, flags_out);
  if (code != SQLITE_OK) return code;
  own(file)->vfs = vfs;
  own(file)->number = answer.file;
  own(file)->syncs_folder = call.syncs_folder;
  file->pMethods = &methods;
  vfs->open_files++;
  return SQLITE_OK;
}

static int vfs_delete(sqlite3_vfs *base, const char *path, int syncs_folder) {
  refold_call call = {REFOLD_DELETE, .path = path, .syncs_folder = syncs_folder};
  ASK(faulty(base), &call);
  return tell(
      faulty(base), &call, faulty(base)->system->xDelete(faulty(base)->system, path, false));
}

static int vfs_access(sqlite3_vfs *base, const char *path, int flags, int *result) {
  refold_call call = {REFOLD_ACCESS, .path = path};
  ASK(faulty(base), &call);
  return faulty(base)->system->xAccess(faulty(base)->system, path, flags, result);
}

static int vfs_full_path(sqlite3_vfs *base, const char *path, int size, char *full) {
  return faulty(base)->system->xFullPathname(faulty(base)->system, path, size, full);
}

static int vfs_randomness(sqlite3_vfs *base, int count, char *bytes) {
  return faulty(base)->system->xRandomness(faulty(base)->system, count, bytes);
}

static int vfs_sleep(sqlite3_vfs *base, int microseconds) {
  return faulty(base)->system->xSleep(faulty(base)->system, microseconds);
}

static int vfs_time(sqlite3_vfs *base, double *days) {
  return faulty(base)->system->xCurrentTime(faulty(base)->system, days);
}

static int vfs_last_error(sqlite3_vfs *base, int count, char *text) {
  return faulty(base)->system->xGetLastError(faulty(base)->system, count, text);
}

refold_vfs *refold_vfs_register(const char *name, refold_disk_hooks hooks) {
  sqlite3_vfs *system = sqlite3_vfs_find(NULL);
  refold_vfs *vfs = calloc(1, sizeof *vfs);
  if (!vfs || !system || !(vfs->base.zName = strdup(name))) {
    free(vfs);
    return NULL;
  }
  vfs->system = system;
  vfs->hooks = hooks;
  vfs->base.iVersion = 1;
  vfs->base.szOsFile = (int)sizeof(faulty_file) + system->szOsFile;
  vfs->base.mxPathname = system->mxPathname;
  vfs->base.xOpen = vfs_open;
  vfs->base.xDelete = vfs_delete;
  vfs->base.xAccess = vfs_access;
  vfs->base.xFullPathname = vfs_full_path;
  vfs->base.xRandomness = vfs_randomness;
  vfs->base.xSleep = vfs_sleep;
  vfs->base.xCurrentTime = vfs_time;
  vfs->base.xGetLastError = vfs_last_error;
  if (sqlite3_vfs_register(&vfs->base, 0) == SQLITE_OK) return vfs;
  free((char *)vfs->base.zName);
  free(vfs);
  return NULL;
}

int64_t refold_vfs_open_files(refold_vfs *vfs) { return vfs->open_files; }

void refold_vfs_unregister(refold_vfs *vfs) {
  sqlite3_vfs_unregister(&vfs->base);
  free((char *)vfs->base.zName);
  free(vfs);
}
