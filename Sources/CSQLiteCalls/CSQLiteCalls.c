// SQLite's own way: an interrupted open, read, write or truncation is made again for ever; most errors of a lock mean that
// another holds it; a journal that cannot be looked for is not there; and what went wrong is said in SQLite's words, not in
// the system's.
#define _GNU_SOURCE
#include "CSQLiteCalls.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>

/// A call that is interrupted so often in a row has failed.
enum { most_interruptions = 1000 };

static __thread int last_error = 0;

int settle_take_sqlite_error(void) {
  int code = last_error;
  last_error = 0;
  return code;
}

/// Keeps why a call failed, and gives what SQLite is told.
static int failed(void) {
  last_error = errno;
  // It would try again.
  return errno == EINTR ? EIO : errno;
}

// Makes a call again while it is interrupted, a fixed number of times; failing with ENOENT is an answer.
#define CALLING(type, call)                                                                                            \
  type result = call;                                                                                                  \
  for (int interruptions = 1; result < 0 && errno == EINTR && interruptions < most_interruptions; interruptions++)     \
    result = call;                                                                                                     \
  if (result < 0 && errno != ENOENT) errno = failed();                                                                 \
  return result;

static int (*next_open)(const char *, int, int);
static int guarded_open(const char *path, int flags, int mode) { CALLING(int, next_open(path, flags, mode)) }

static int (*next_ftruncate)(int, off_t);
static int guarded_ftruncate(int file, off_t length) { CALLING(int, next_ftruncate(file, length)) }

static ssize_t (*next_read)(int, void *, size_t);
static ssize_t guarded_read(int file, void *bytes, size_t count) { CALLING(ssize_t, next_read(file, bytes, count)) }

static ssize_t (*next_pread)(int, void *, size_t, off_t);
static ssize_t guarded_pread(int file, void *bytes, size_t count, off_t at) {
  CALLING(ssize_t, next_pread(file, bytes, count, at))
}

static ssize_t (*next_write)(int, const void *, size_t);
static ssize_t guarded_write(int file, const void *bytes, size_t count) {
  CALLING(ssize_t, next_write(file, bytes, count))
}

static ssize_t (*next_pwrite)(int, const void *, size_t, off_t);
static ssize_t guarded_pwrite(int file, const void *bytes, size_t count, off_t at) {
  CALLING(ssize_t, next_pwrite(file, bytes, count, at))
}

static int (*next_unlink)(const char *);
static int guarded_unlink(const char *path) { CALLING(int, next_unlink(path)) }

// The status and the bytes of the calls of files are passed on as they are.
static int (*next_fstat)(int, void *);
static int guarded_fstat(int file, void *status) { CALLING(int, next_fstat(file, status)) }

static int (*next_stat)(const char *, struct stat *);
static int calling_stat(const char *path, struct stat *status) { CALLING(int, next_stat(path, status)) }

static int guarded_stat(const char *path, struct stat *status) {
  if (calling_stat(path, status) == 0) return 0;
  if (errno == ENOENT || errno == ENOTDIR) return -1;
  // SQLite takes what it cannot see for absent, a journal among them that it would have to undo. So it is to be opened, which
  // tells.
  memset(status, 0, sizeof *status);
  status->st_mode = S_IFREG;
  status->st_size = 1;
  return 0;
}

static int calling_fcntl(int (*call)(int, int, ...), int file, int command, void *argument) {
  CALLING(int, call(file, command, argument))
}

static int (*next_fcntl)(int, int, ...);
static int guarded_fcntl(int file, int command, ...) {
  va_list list;
  va_start(list, command);
  void *argument = va_arg(list, void *);
  va_end(list);
  int result = calling_fcntl(next_fcntl, file, command, argument);
  // On Linux a lock that another holds is EAGAIN alone; SQLite waits for these, too.
  if (result < 0 && errno != EAGAIN && (command == F_SETLK || command == F_GETLK)) errno = EIO;
  return result;
}

// What of the system's errors SQLite does not hand to the calls above, it writes into its log: of fsync, first of all.
static void take_log(void *context, int code, const char *message) {
  int error = 0;
  (void)context;
  (void)code;
  if (sscanf(message, "os_unix.c:%*d: (%d)", &error) != 1 || error == 0 || error == ENOENT) return;
  if (!(error == EIO && last_error == EINTR)) last_error = error;
}

void settle_guard_sqlite_calls(void) {
  sqlite3_config(SQLITE_CONFIG_LOG, take_log, NULL);
  sqlite3_vfs *files = sqlite3_vfs_find("unix");
  if (!files || files->iVersion < 3) return;
#define GUARD(name, call)                                                                                              \
  do {                                                                                                                 \
    sqlite3_syscall_ptr found = files->xGetSystemCall(files, name);                                                    \
    if (!found) break;                                                                                                 \
    memcpy(&next_##call, &found, sizeof found);                                                                        \
    files->xSetSystemCall(files, name, (sqlite3_syscall_ptr)guarded_##call);                                           \
  } while (0)
  GUARD("open", open);
  GUARD("ftruncate", ftruncate);
  GUARD("stat", stat);
  GUARD("fstat", fstat);
  GUARD("fcntl", fcntl);
  GUARD("read", read);
  GUARD("write", write);
  GUARD("unlink", unlink);
  // Only one of each two is there, and both take an offset of 64 bits.
  _Static_assert(sizeof(off_t) == 8, "offsets are those of pread64, too");
  GUARD("pread", pread);
  GUARD("pwrite", pwrite);
  GUARD("pread64", pread);
  GUARD("pwrite64", pwrite);
}
