#ifndef SETTLE_CSYSTEMCALLS_H
#define SETTLE_CSYSTEMCALLS_H

#include <stddef.h>

#pragma clang assume_nonnull begin

/// Renames within an open directory, only where nothing bears the new name: 0, or -1 with `errno`.
int settle_rename_new(int directory, const char *from, const char *to);

/// Exchanges two names of an open directory in one step: 0, or -1 with `errno`.
int settle_rename_exchange(int directory, const char *from, const char *to);

/// Opens a new file of a directory that has no name and goes with its last descriptor: that, or -1 with `errno`.
int settle_open_unnamed(int directory);

/// Has a part of a file written to its disk without waiting for it: 0, or -1 with `errno`.
int settle_begin_writeback(int file, long long offset, long long count);

/// Has freed memory of a megabyte and more go back to the system at once, whichever thread freed it.
void settle_return_freed_memory(void);

/// Sees to it that no file comes to stand where standard input, output or error should and were closed: what is read
/// or written there fails, as before.
void settle_reserve_standard_descriptors(void);

/// Lets the process have as many files open as the system allows it.
void settle_allow_many_files(void);

/// Where the bytes of `part` first stand in those of `text`; NULL if they do not.
const void *_Nullable settle_find(const void *part, size_t partCount, const void *text, size_t count);

#pragma clang assume_nonnull end

#endif
