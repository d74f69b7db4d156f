// The compression function of SHA-256 by the processor's own instructions, which Swift cannot name.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Goes on by `count` blocks of 64 bytes at `blocks`, from the chaining words at `words`.
///
/// Gives false, and does nothing, where this processor has no such instructions.
bool refold_sha256_compress(uint32_t words[8], const void *blocks, size_t count);
