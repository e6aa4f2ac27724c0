#ifndef CEXPAT_H
#define CEXPAT_H

#include <expat.h>
#include <string.h>

/// A parser whose memory is counted, or NULL. It must be freed by the thread that makes it.
XML_Parser _Nullable cexpat_create(void);

/// The bytes that the parsers of this thread have in use.
size_t cexpat_memory(void);

/// Describes an encoding of one byte a character: the code point of each byte, or -1 if it is no character.
static inline void cexpat_set_encoding(XML_Encoding *_Nonnull encoding, const int *_Nonnull points) {
  memcpy(encoding->map, points, sizeof encoding->map);
  encoding->data = NULL;
  encoding->convert = NULL;
  encoding->release = NULL;
}

#endif
