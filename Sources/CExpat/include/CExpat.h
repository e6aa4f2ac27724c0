#ifndef CEXPAT_H
#define CEXPAT_H

#include <expat.h>
#include <string.h>

/// Describes an encoding of one byte a character: the code point of each byte, or -1 if it is no character.
static inline void cexpat_set_encoding(XML_Encoding *_Nonnull encoding, const int *_Nonnull points) {
  memcpy(encoding->map, points, sizeof encoding->map);
  encoding->data = NULL;
  encoding->convert = NULL;
  encoding->release = NULL;
}

#endif
