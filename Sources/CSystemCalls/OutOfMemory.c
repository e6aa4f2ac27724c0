// Memory that the system refuses ends the process with words and an exit code, instead of a trap in whatever asked. The sanitizers bring an allocator of their own.
#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "CSystemCalls.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SETTLE_FOREIGN_ALLOCATOR
#endif
#endif

#if defined(__GLIBC__) && !defined(SETTLE_FOREIGN_ALLOCATOR)

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static void (*handler)(void) = NULL;
static int last_exit_code = 0;
static void *reserve = NULL;
static atomic_flag is_handled = ATOMIC_FLAG_INIT;
static __thread int is_handling = 0;

void settle_handle_lack_of_memory(int exit_code, void (*body)(void)) {
  last_exit_code = exit_code;
  reserve = malloc(1 << 18);
  handler = body;
}

static void *checked(void *block) {
  if (__builtin_expect(block != NULL || handler == NULL, 1)) return block;
  // Other threads may have taken what was kept back; then there is nothing more to be done.
  if (is_handling) _exit(last_exit_code);
  while (atomic_flag_test_and_set(&is_handled)) pause();
  is_handling = 1;
  free(reserve);
  handler();
  _exit(last_exit_code);
}

void *malloc(size_t size) { return checked(__libc_malloc(size)); }

void *calloc(size_t count, size_t size) { return checked(__libc_calloc(count, size)); }

void *realloc(void *block, size_t size) {
  void *moved = __libc_realloc(block, size);
  // Nothing is what a block of no size becomes.
  return size == 0 ? moved : checked(moved);
}

void *memalign(size_t alignment, size_t size) { return checked(__libc_memalign(alignment, size)); }

void *aligned_alloc(size_t alignment, size_t size) { return checked(__libc_memalign(alignment, size)); }

int posix_memalign(void **block, size_t alignment, size_t size) {
  if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) return EINVAL;
  void *found = checked(__libc_memalign(alignment, size));
  if (found == NULL) return ENOMEM;
  *block = found;
  return 0;
}

#else

void settle_handle_lack_of_memory(int exit_code, void (*body)(void)) {
  (void)exit_code;
  (void)body;
}

#endif
