// The executable's own definitions take the place of glibc's for everything that is loaded with it
// (gnu.org/software/libc/manual/html_node/Replacing-malloc.html), and hand on to them.
#include "allocations.h"
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

static atomic_bool counting;
static atomic_uint_fast64_t allocations;

void bench_count_allocations(bool on) {
  atomic_store_explicit(&counting, on, memory_order_relaxed);
}

uint64_t bench_allocations(void) {
  return atomic_load_explicit(&allocations, memory_order_relaxed);
}

// A sanitizer brings definitions of its own, which must stay: then nothing is counted.
#if !__has_feature(thread_sanitizer) && !__has_feature(address_sanitizer)

static inline void note(void) {
  if (atomic_load_explicit(&counting, memory_order_relaxed))
    atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
}

void *malloc(size_t size) {
  note();
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  note();
  return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
  note();
  return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
  note();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  note();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0)
    return EINVAL;
  note();
  void *found = __libc_memalign(alignment, size);
  if (found == NULL) return ENOMEM;
  *block = found;
  return 0;
}

#endif
