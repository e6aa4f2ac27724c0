#define _GNU_SOURCE
#include "CByteScan.h"

#include <string.h>

const void *settle_find_text(const void *part, size_t partCount, const void *text, size_t count) {
  return memmem(text, count, part, partCount);
}
