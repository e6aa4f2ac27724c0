#ifndef SETTLE_CSYSTEMCALLS_H
#define SETTLE_CSYSTEMCALLS_H

#include <stddef.h>

#pragma clang assume_nonnull begin

/// Renames within an open directory, only if the new name does not exist: 0, or -1 with `errno`.
int settle_rename_new(int directory, const char *from, const char *to);

/// Exchanges two names of an open directory in one step: 0, or -1 with `errno`.
int settle_rename_exchange(int directory, const char *from, const char *to);

/// Opens a new file without a name in a directory; it disappears with its last descriptor. The descriptor, or -1 with
/// `errno`.
int settle_open_unnamed(int directory);

/// Starts writing a part of a file to disk without waiting for it: 0, or -1 with `errno`.
int settle_begin_writeback(int file, long long offset, long long count);

/// Gives the disk blocks of a part of a file back; its bytes become zeros. 0, or -1 with `errno`.
int settle_release_blocks(int file, long long offset, long long count);

/// Makes freed memory of a megabyte or more return to the system at once, whichever thread freed it.
void settle_return_freed_memory(void);

/// Makes sure that no file is opened as standard input, output or error if these were closed: reading or writing there
/// still fails.
void settle_reserve_standard_descriptors(void);

/// Raises the number of files that the process may have open to the system's maximum.
void settle_allow_many_files(void);

/// Gives the calling thread a name of at most 15 bytes, for programs that watch the process.
void settle_name_thread(const char *name);

#pragma clang assume_nonnull end

#endif
