#ifndef CXXHASH_H
#define CXXHASH_H

// XXH32 alone is used: the checksum of the LZ4 frame format.
#include <xxhash.h>

#endif
