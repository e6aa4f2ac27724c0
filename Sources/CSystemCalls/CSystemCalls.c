// glibc declares these calls to GNU programs only, and Swift's view of it is another.
#define _GNU_SOURCE
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "CSystemCalls.h"

int settle_rename_new(int directory, const char *from, const char *to) {
  return renameat2(directory, from, directory, to, RENAME_NOREPLACE);
}

int settle_rename_exchange(int directory, const char *from, const char *to) {
  return renameat2(directory, from, directory, to, RENAME_EXCHANGE);
}

int settle_open_unnamed(int directory) { return openat(directory, ".", O_RDWR | O_TMPFILE | O_CLOEXEC, 0600); }

int settle_begin_writeback(int file, long long offset, long long count) {
  return sync_file_range(file, offset, count, SYNC_FILE_RANGE_WRITE);
}

void settle_return_freed_memory(void) { mallopt(M_MMAP_THRESHOLD, 1 << 20); }

void settle_reserve_standard_descriptors(void) {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++) {
    if (fcntl(descriptor, F_GETFD) != -1) continue;
    // The lowest free number is this one. What is open for writing alone cannot be read, and the other way round.
    int held = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    if (held < 0) open("/", O_PATH);
  }
}

void settle_allow_many_files(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= limit.rlim_max) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

const void *settle_find(const void *part, size_t partCount, const void *text, size_t count) {
  return memmem(text, count, part, partCount);
}
