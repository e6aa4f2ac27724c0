#ifndef CLZ4_H
#define CLZ4_H

// Block functions: the engine reads and writes the frame format itself.
#include <lz4.h>
// The library's own frame decoder: the tests compare verdicts with it.
#include <lz4frame.h>

#endif
