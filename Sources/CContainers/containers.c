#include "containers.h"

// A container is one strong reference; Refold has made sure of that before it calls. In Swift its
// size is not known, so that it comes back through memory of the caller's (the indirect result), and
// the key's metadata and conformance come along, of which nothing is needed here.

__attribute__((swiftcall)) void refold_decoding_container(
    __attribute__((swift_indirect_result)) void **container, void *reference, const void *key,
    const void *conformance) {
  (void)key;
  (void)conformance;
  *container = reference;
}

__attribute__((swiftcall)) void refold_encoding_container(
    __attribute__((swift_indirect_result)) void **container, void *reference, const void *key,
    const void *conformance) {
  (void)key;
  (void)conformance;
  *container = reference;
}
