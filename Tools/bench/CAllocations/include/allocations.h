// Counts the heap allocations of the executable that links this, those of its libraries included.
#pragma once
#include <stdbool.h>
#include <stdint.h>

/// Whether allocations are counted from now on. Off at first: a count that two threads share slows
/// both, so time is taken with it off.
void bench_count_allocations(bool on);

/// How many allocations were counted so far.
uint64_t bench_allocations(void);
