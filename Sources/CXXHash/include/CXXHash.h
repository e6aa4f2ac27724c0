#ifndef CXXHASH_H
#define CXXHASH_H

// Only XXH32 is used: the checksum of the LZ4 frame format.
#include <xxhash.h>

#endif
