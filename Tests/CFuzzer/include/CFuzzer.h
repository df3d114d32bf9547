#ifndef CFUZZER_H
#define CFUZZER_H

#include <stddef.h>
#include <stdint.h>

/// The loop of libFuzzer, which script/fuzz links: https://llvm.org/docs/LibFuzzer.html.
int LLVMFuzzerRunDriver(int *count, char ***arguments, int (*body)(const uint8_t *bytes, size_t count));

#endif
