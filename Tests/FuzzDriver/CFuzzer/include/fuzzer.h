#ifndef REFOLD_FUZZER_H
#define REFOLD_FUZZER_H
#include <stddef.h>
#include <stdint.h>

/// libFuzzer's own loop, for a program that has a main function of its own
/// (llvm.org/docs/LibFuzzer.html).
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));

#endif
