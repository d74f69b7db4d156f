// What the thread sanitizer has to be told of Swift's Mutex on Linux.
//
// Where nobody competes for a Mutex, locking it is one atomic operation in code that the sanitizer
// sees. Where somebody does, the lock changes hands in libswiftSynchronization and the kernel
// (FUTEX_LOCK_PI), which it does not see: it takes what the next owner does for a race with what the
// one before did. A counter in a Mutex that two threads increase is reported within a second.
//
// So Tools/test --thread loads this library before the tests. It stands in front of the three
// functions of that slow path, and notes that an unlock happens before the lock that follows it.
// Nothing is suppressed: what is not under the same lock is still a race, and reported.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

// Absent in the processes around the tests, which the sanitizer is not in.
void __tsan_acquire(void *address) __attribute__((weak));
void __tsan_release(void *address) __attribute__((weak));

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) uint32_t *

// Synchronization._MutexHandle._lockSlow(UInt32), ._tryLockSlow() -> Bool, ._unlockSlow()
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void lock_slow(uint32_t thread, SELF handle) __asm__(LOCK);
SWIFT bool try_lock_slow(SELF handle) __asm__(TRY_LOCK);
SWIFT void unlock_slow(SELF handle) __asm__(UNLOCK);

// Swift's own.
static SWIFT void (*real_lock_slow)(uint32_t, SELF);
static SWIFT bool (*real_try_lock_slow)(SELF);
static SWIFT void (*real_unlock_slow)(SELF);

__attribute__((constructor)) static void find_functions(void) {
  real_lock_slow = dlsym(RTLD_NEXT, LOCK);
  real_try_lock_slow = dlsym(RTLD_NEXT, TRY_LOCK);
  real_unlock_slow = dlsym(RTLD_NEXT, UNLOCK);
  if (!__tsan_acquire || (real_lock_slow && real_try_lock_slow && real_unlock_slow)) return;
  fputs("Tools/thread-sanitizer.c: this toolchain's Mutex is made otherwise. Look at it again.\n",
        stderr);
  _exit(1);
}

SWIFT void lock_slow(uint32_t thread, SELF handle) {
  real_lock_slow(thread, handle);
  if (__tsan_acquire) __tsan_acquire(handle);
}

SWIFT bool try_lock_slow(SELF handle) {
  bool is_locked = real_try_lock_slow(handle);
  if (is_locked && __tsan_acquire) __tsan_acquire(handle);
  return is_locked;
}

SWIFT void unlock_slow(SELF handle) {
  if (__tsan_release) __tsan_release(handle);
  real_unlock_slow(handle);
}
