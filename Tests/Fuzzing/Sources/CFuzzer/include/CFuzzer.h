#ifndef CFUZZER_H
#define CFUZZER_H

#include <stddef.h>
#include <stdint.h>

// Of libFuzzer, <https://llvm.org/docs/LibFuzzer.html>: it has no header for those who bring their own main.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *bytes, size_t count));
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t count, size_t most);

#endif
