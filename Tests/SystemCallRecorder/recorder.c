// Loaded before the C library (LD_PRELOAD). After each call that makes, changes, renames, removes or syncs a file, it
// appends a line to the file that RECORDED_CALLS names. Tabs separate the fields:
//
//   make PATH    write PATH    sync PATH    remove PATH    rename PATH TO
//
// Syncing the file or directory that FAILED_SYNC names fails.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// One write, so that lines of threads do not mix. By system calls, because the functions are wrapped here.
static void record(const char *call, const char *path, const char *to) {
  char line[2 * PATH_MAX + 16];
  const char *log = getenv("RECORDED_CALLS");
  if (!log) return;
  int length = snprintf(line, sizeof line, "%s\t%s\t%s\n", call, path, to);
  int file = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_APPEND | O_CLOEXEC);
  syscall(SYS_write, file, line, length);
  syscall(SYS_close, file);
}

// The path of a file; empty if it has no name.
static const char *path_of(int file, char path[PATH_MAX + 1]) {
  char link[32];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, PATH_MAX);
  path[length < 0 ? 0 : length] = 0;
  if (path[0] != '/' || strstr(path, " (deleted)")) path[0] = 0;
  return path;
}

static void record_file(const char *call, int file) {
  char path[PATH_MAX + 1];
  if (*path_of(file, path)) record(call, path, "");
}

// A name in a directory, as a path.
static const char *in(int directory, const char *name, char path[2 * PATH_MAX]) {
  char link[32];
  ssize_t length = 0;
  path[0] = 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", directory);
  if (directory == AT_FDCWD) {
    length = getcwd(path, PATH_MAX) ? strlen(path) : 0;
  } else {
    length = readlink(link, path, PATH_MAX);
  }
  if (*name == '/' || length <= 0) length = 0;
  snprintf(path + length, 2 * PATH_MAX - length, "%s%s", length ? "/" : "", name);
  return path;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define WRAP_FILE(call, type, name, parameters, arguments)                                                             \
  type name parameters {                                                                                               \
    type result = NEXT(name) arguments;                                                                                \
    if (result >= 0) record_file(call, file);                                                                          \
    return result;                                                                                                     \
  }

WRAP_FILE("write", ssize_t, write, (int file, const void *bytes, size_t count), (file, bytes, count))
WRAP_FILE("write", ssize_t, pwrite, (int file, const void *bytes, size_t count, off_t at), (file, bytes, count, at))
WRAP_FILE("write", ssize_t, pwrite64, (int file, const void *bytes, size_t count, off64_t at), (file, bytes, count, at))
WRAP_FILE("write", int, ftruncate, (int file, off_t length), (file, length))
WRAP_FILE("write", int, ftruncate64, (int file, off64_t length), (file, length))
WRAP_FILE("sync", int, fdatasync, (int file), (file))

int fsync(int file) {
  char path[PATH_MAX + 1];
  const char *failing = getenv("FAILED_SYNC");
  if (failing && !strcmp(path_of(file, path), failing)) return errno = EIO, -1;
  int result = NEXT(fsync)(file);
  if (result == 0) record_file("sync", file);
  return result;
}

#define WRAP_OPEN(name, parameters, arguments)                                                                         \
  int name parameters {                                                                                                \
    va_list list;                                                                                                      \
    va_start(list, flags);                                                                                             \
    mode_t mode = flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(list, mode_t) : 0;                      \
    va_end(list);                                                                                                      \
    int file = NEXT(name) arguments;                                                                                   \
    if (file >= 0 && flags & O_CREAT) record_file("make", file);                                                       \
    return file;                                                                                                       \
  }

WRAP_OPEN(open, (const char *path, int flags, ...), (path, flags, mode))
WRAP_OPEN(open64, (const char *path, int flags, ...), (path, flags, mode))
WRAP_OPEN(openat, (int directory, const char *path, int flags, ...), (directory, path, flags, mode))
WRAP_OPEN(openat64, (int directory, const char *path, int flags, ...), (directory, path, flags, mode))

int mkdirat(int directory, const char *name, mode_t mode) {
  char path[2 * PATH_MAX];
  int result = NEXT(mkdirat)(directory, name, mode);
  if (result == 0) record("make", in(directory, name, path), "");
  return result;
}

int unlinkat(int directory, const char *name, int flags) {
  char path[2 * PATH_MAX];
  int result = NEXT(unlinkat)(directory, name, flags);
  if (result == 0) record("remove", in(directory, name, path), "");
  return result;
}

// An exchange is recorded in both directions.
int renameat2(int directory, const char *from, int other, const char *to, unsigned flags) {
  char path[2 * PATH_MAX], new_path[2 * PATH_MAX];
  int result = NEXT(renameat2)(directory, from, other, to, flags);
  if (result == 0) record("rename", in(directory, from, path), in(other, to, new_path));
  if (result == 0 && flags & RENAME_EXCHANGE) record("rename", in(other, to, new_path), in(directory, from, path));
  return result;
}

int renameat(int directory, const char *from, int other, const char *to) {
  char path[2 * PATH_MAX], new_path[2 * PATH_MAX];
  int result = NEXT(renameat)(directory, from, other, to);
  if (result == 0) record("rename", in(directory, from, path), in(other, to, new_path));
  return result;
}
