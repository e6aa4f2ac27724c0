// glibc declares these calls only with _GNU_SOURCE, and Swift imports it without that.
#define _GNU_SOURCE
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
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

int settle_release_blocks(int file, long long offset, long long count) {
  return fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset, count);
}

void settle_return_freed_memory(void) { mallopt(M_MMAP_THRESHOLD, 1 << 20); }

void settle_reserve_standard_descriptors(void) {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++) {
    if (fcntl(descriptor, F_GETFD) != -1) continue;
    // open() returns the lowest free number, which is this one. Write-only input and read-only output make calls fail.
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

void settle_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }
