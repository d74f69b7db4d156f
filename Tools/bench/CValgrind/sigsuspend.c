// libdispatch hands sigsuspend a set of signals that lies in read-only memory. valgrind, up to 3.19 at
// least, writes into the set that it is given (it must never let SIGKILL be blocked), and dies of
// that. An executable's own definition takes the place of glibc's: this one hands on a copy.
#include "valgrind.h"
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

// What the kernel takes for the size of a set: a bit for each of its 64 signals.
enum { KERNEL_SET_BYTES = 8 };

// A sanitizer brings a definition of its own, which must stay.
#if !__has_feature(thread_sanitizer) && !__has_feature(address_sanitizer)

int sigsuspend(const sigset_t *signals) {
  sigset_t copy = *signals;
  return (int)syscall(SYS_rt_sigsuspend, &copy, KERNEL_SET_BYTES);
}

#endif
