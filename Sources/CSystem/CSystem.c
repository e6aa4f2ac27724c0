// glibc declares renameat2 and memmem to GNU programs only, and Swift's view of it is another.
#define _GNU_SOURCE
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>

#include "CSystem.h"

int settle_rename_new(const char *from, const char *to) {
  return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
}

int settle_rename_exchange(const char *from, const char *to) {
  return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_EXCHANGE);
}

void settle_return_freed_memory(void) { mallopt(M_MMAP_THRESHOLD, 1 << 20); }

int settle_contains(const void *text, size_t count, const void *part, size_t partCount) {
  return memmem(text, count, part, partCount) != NULL;
}
