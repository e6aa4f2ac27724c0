// A library that is loaded before the C library (LD_PRELOAD). It counts settle's calls of the C library, and makes one of
// them fail. tools/faults compiles it and says what to do:
//
//   FAULT        CALL AT KIND ERRNO EVER
//                CALL   the call's name as below, or "any";   AT   which one of them, from 1
//                KIND   error: it fails with ERRNO                 short: only half is read or written
//                       nothing: it does nothing, returns 0        stop: the process stops (SIGSTOP) before it
//                       kill, killed: the process is killed (SIGKILL) before or after it
//                EVER   1: this call and all later ones
//   FAULT_FROM   calls count from the first opening of a path that ends with this
//   FAULT_COUNTS a file to which the numbers of calls are written when the process exits

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CALLS(X)                                                                                                       \
  X(open) X(read) X(pread) X(write) X(pwrite) X(close) X(fsync) X(fdatasync) X(sync_file_range) X(ftruncate) X(lseek)  \
  X(stat) X(mkdir) X(unlink) X(rename) X(flock) X(fcntl) X(chmod) X(fdopendir) X(readdir) X(fadvise) X(poll)

enum call {
#define X(name) CALL_##name,
  CALLS(X)
#undef X
      CALL_COUNT
};

static const char *const names[] = {
#define X(name) #name,
    CALLS(X)
#undef X
};

enum kind { NONE, ERROR, SHORT, NOTHING, STOP, KILL, KILLED };

static atomic_long counts[CALL_COUNT + 1];
static int wanted = -1;
static long wanted_at = 1;
static int wanted_ever, wanted_errno;
static enum kind wanted_kind = NONE;
static const char *counts_path, *wanted_from;
static atomic_int has_begun;

__attribute__((constructor)) static void begin(void) {
  static const char *const kinds[] = {"", "error", "short", "nothing", "stop", "kill", "killed"};
  char call[32], kind[16];
  counts_path = getenv("FAULT_COUNTS");
  wanted_from = getenv("FAULT_FROM");
  has_begun = !wanted_from;
  const char *fault = getenv("FAULT");
  if (!fault) return;
  if (sscanf(fault, "%31s %ld %15s %d %d", call, &wanted_at, kind, &wanted_errno, &wanted_ever) != 5) abort();
  for (int i = 1; i <= KILLED; i++)
    if (strcmp(kinds[i], kind) == 0) wanted_kind = i;
  for (wanted = 0; wanted < CALL_COUNT && strcmp(names[wanted], call) != 0;) wanted++;
}

__attribute__((destructor)) static void end(void) {
  char line[64];
  if (!counts_path) return;
  int file = syscall(SYS_openat, AT_FDCWD, counts_path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  for (int i = 0; i <= CALL_COUNT; i++) {
    int length = snprintf(line, sizeof line, "%s %ld\n", i < CALL_COUNT ? names[i] : "any", atomic_load(&counts[i]));
    syscall(SYS_write, file, line, length);
  }
  syscall(SYS_close, file);
}

// Sends the signal to this thread, which does not continue; the other threads stop or end with it.
static void kill_self(int number) { syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), number); }

/// The fault of this call, if any.
static enum kind fault(enum call call) {
  if (!has_begun) return NONE;
  long number = atomic_fetch_add(&counts[call], 1) + 1;
  long of_all = atomic_fetch_add(&counts[CALL_COUNT], 1) + 1;
  if (wanted == CALL_COUNT)
    number = of_all;
  else if (wanted != (int)call)
    return NONE;
  if (!(number == wanted_at || (wanted_ever && number > wanted_at))) return NONE;
  if (wanted_kind == KILL) kill_self(SIGKILL);
  if (wanted_kind == STOP) kill_self(SIGSTOP);
  return wanted_kind;
}

// Counting begins when the awaited path is opened.
static void opened(const char *path) {
  size_t length = strlen(path), wanted_length = wanted_from ? strlen(wanted_from) : 0;
  if (!has_begun && length >= wanted_length && strcmp(path + length - wanted_length, wanted_from) == 0) has_begun = 1;
}

#define NEXT(name) ((__typeof__(&name))next(#name))
static void *next(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (!found) abort();
  return found;
}

// Makes the call fail if asked; otherwise makes the call.
#define FAIL(call, failed)                                                                                             \
  enum kind kind = fault(CALL_##call);                                                                                 \
  if (kind == ERROR) {                                                                                                 \
    errno = wanted_errno;                                                                                              \
    return failed;                                                                                                     \
  }

#define MAKE(type, name, arguments)                                                                                    \
  static __typeof__(&name) real;                                                                                       \
  if (!real) real = NEXT(name);                                                                                        \
  type result = real arguments;                                                                                        \
  int code = errno;                                                                                                    \
  if (kind == KILLED) kill_self(SIGKILL);                                                                              \
  errno = code;                                                                                                        \
  return result;

#define WRAP(call, type, failed, name, parameters, arguments)                                                          \
  type name parameters {                                                                                               \
    FAIL(call, failed)                                                                                                 \
    if (kind == NOTHING) return (type)0;                                                                               \
    MAKE(type, name, arguments)                                                                                        \
  }

// Calls that move bytes can move fewer.
#define WRAP_BYTES(call, name, parameters, arguments)                                                                  \
  ssize_t name parameters {                                                                                            \
    FAIL(call, -1)                                                                                                     \
    if (kind == NOTHING) return 0;                                                                                     \
    if (kind == SHORT && count > 1) count /= 2;                                                                        \
    MAKE(ssize_t, name, arguments)                                                                                     \
  }

// The last argument of these may be absent.
#define WRAP_OPTIONAL(call, before, name, last, parameters, arguments)                                                 \
  int name parameters {                                                                                                \
    before;                                                                                                            \
    va_list list;                                                                                                      \
    va_start(list, last);                                                                                              \
    unsigned long optional = va_arg(list, unsigned long);                                                              \
    va_end(list);                                                                                                      \
    FAIL(call, -1)                                                                                                     \
    MAKE(int, name, arguments)                                                                                         \
  }

// Calls with numbers of 32 and of 64 bits.
#define WRAP_SIZED(size, offset)                                                                                       \
  WRAP_OPTIONAL(open, opened(path), open##size, flags, (const char *path, int flags, ...), (path, flags, optional))    \
  WRAP_OPTIONAL(open, opened(path), openat##size, flags, (int directory, const char *path, int flags, ...),            \
                (directory, path, flags, optional))                                                                    \
  WRAP_BYTES(pread, pread##size, (int file, void *bytes, size_t count, offset at), (file, bytes, count, at))           \
  WRAP_BYTES(pwrite, pwrite##size, (int file, const void *bytes, size_t count, offset at), (file, bytes, count, at))   \
  WRAP(ftruncate, int, -1, ftruncate##size, (int file, offset length), (file, length))                                 \
  WRAP(lseek, offset, -1, lseek##size, (int file, offset at, int whence), (file, at, whence))                          \
  WRAP(stat, int, -1, fstat##size, (int file, struct stat##size *status), (file, status))                              \
  WRAP(stat, int, -1, stat##size, (const char *path, struct stat##size *status), (path, status))                       \
  WRAP(stat, int, -1, lstat##size, (const char *path, struct stat##size *status), (path, status))                      \
  WRAP(stat, int, -1, fstatat##size, (int directory, const char *path, struct stat##size *status, int flags),          \
       (directory, path, status, flags))                                                                               \
  WRAP_OPTIONAL(fcntl, (void)0, fcntl##size, command, (int file, int command, ...), (file, command, optional))

WRAP_SIZED(, off_t)
WRAP_SIZED(64, off64_t)
WRAP_BYTES(read, read, (int file, void *bytes, size_t count), (file, bytes, count))
WRAP_BYTES(write, write, (int file, const void *bytes, size_t count), (file, bytes, count))
WRAP(fsync, int, -1, fsync, (int file), (file))
WRAP(fdatasync, int, -1, fdatasync, (int file), (file))
WRAP(sync_file_range, int, -1, sync_file_range, (int file, off64_t at, off64_t count, unsigned flags),
     (file, at, count, flags))
WRAP(mkdir, int, -1, mkdir, (const char *path, mode_t mode), (path, mode))
WRAP(mkdir, int, -1, mkdirat, (int directory, const char *path, mode_t mode), (directory, path, mode))
WRAP(unlink, int, -1, unlink, (const char *path), (path))
WRAP(unlink, int, -1, rmdir, (const char *path), (path))
WRAP(unlink, int, -1, unlinkat, (int directory, const char *path, int flags), (directory, path, flags))
WRAP(rename, int, -1, rename, (const char *from, const char *to), (from, to))
WRAP(rename, int, -1, renameat, (int a, const char *from, int b, const char *to), (a, from, b, to))
WRAP(rename, int, -1, renameat2, (int a, const char *from, int b, const char *to, unsigned flags),
     (a, from, b, to, flags))
WRAP(flock, int, -1, flock, (int file, int operation), (file, operation))
WRAP(chmod, int, -1, fchmod, (int file, mode_t mode), (file, mode))
WRAP(chmod, int, -1, fchmodat, (int directory, const char *path, mode_t mode, int flags), (directory, path, mode, flags))
WRAP(fdopendir, DIR *, NULL, fdopendir, (int file), (file))
WRAP(readdir, struct dirent *, NULL, readdir, (DIR *directory), (directory))
WRAP(poll, int, -1, poll, (struct pollfd *polled, nfds_t count, int wait), (polled, count, wait))

// This function returns the error number.
int posix_fadvise(int file, off_t at, off_t count, int advice) {
  enum kind kind = fault(CALL_fadvise);
  if (kind == ERROR) return wanted_errno;
  int result = NEXT(posix_fadvise)(file, at, count, advice);
  if (kind == KILLED) kill_self(SIGKILL);
  return result;
}

// A closed file stays closed, even if an error is returned.
int close(int file) {
  enum kind kind = fault(CALL_close);
  int result = NEXT(close)(file);
  int code = errno;
  if (kind == KILLED) kill_self(SIGKILL);
  errno = kind == ERROR ? wanted_errno : code;
  return kind == ERROR ? -1 : result;
}
