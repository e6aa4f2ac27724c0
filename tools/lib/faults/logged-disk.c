// A disk with a log: a file system of one file, `disk`, for a loop device. Everything written to it, and each sync, is
// appended to a log. From that the disk can be made as a power cut at any moment may have left it. It has one thread, so
// the log has the order in which syncs were answered.
//
// usage: logged-disk IMAGE LOG MOUNTPOINT        ends when it is unmounted
//
// The log's entries: 'W', offset (8 bytes), length (4 bytes), the bytes; or 'F', all before it is durable. Little-endian.

#define FUSE_USE_VERSION 31
#include <errno.h>
#include <fcntl.h>
#include <fuse.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static char *image;
static off_t size;
static int log_file;

static void append(const void *bytes, size_t count) {
  if (write(log_file, bytes, count) != (ssize_t)count) {
    perror("logged-disk: log");
    abort();
  }
}

static int is_disk(const char *path) { return strcmp(path, "/disk") == 0; }

static int disk_getattr(const char *path, struct stat *status, struct fuse_file_info *file) {
  (void)file;
  memset(status, 0, sizeof *status);
  status->st_nlink = 1;
  status->st_mode = is_disk(path) ? S_IFREG | 0600 : S_IFDIR | 0700;
  status->st_size = is_disk(path) ? size : 0;
  return is_disk(path) || strcmp(path, "/") == 0 ? 0 : -ENOENT;
}

static int disk_open(const char *path, struct fuse_file_info *file) {
  (void)file;
  return is_disk(path) ? 0 : -ENOENT;
}

static int disk_read(const char *path, char *bytes, size_t count, off_t at, struct fuse_file_info *file) {
  (void)path, (void)file;
  if (at >= size) return 0;
  if ((off_t)count > size - at) count = size - at;
  memcpy(bytes, image + at, count);
  return count;
}

static int disk_write(const char *path, const char *bytes, size_t count, off_t at, struct fuse_file_info *file) {
  (void)path, (void)file;
  if (at < 0 || at + (off_t)count > size) return -ENOSPC;
  char head[13] = {'W'};
  uint64_t place = at;
  uint32_t length = count;
  memcpy(head + 1, &place, 8);
  memcpy(head + 9, &length, 4);
  append(head, sizeof head);
  append(bytes, count);
  memcpy(image + at, bytes, count);
  return count;
}

static int disk_fsync(const char *path, int only_data, struct fuse_file_info *file) {
  (void)path, (void)only_data, (void)file;
  append("F", 1);
  return 0;
}

int main(int count, char **arguments) {
  if (count != 4) return 64;
  int file = open(arguments[1], O_RDWR);
  struct stat status;
  if (file < 0 || fstat(file, &status) != 0) {
    perror(arguments[1]);
    return 66;
  }
  size = status.st_size;
  image = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
  log_file = open(arguments[2], O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
  if (image == MAP_FAILED || log_file < 0) {
    perror("logged-disk");
    return 74;
  }
  static const struct fuse_operations operations = {
      .getattr = disk_getattr, .open = disk_open, .read = disk_read, .write = disk_write, .fsync = disk_fsync};
  char *fuse_arguments[] = {arguments[0], "-f", "-s", arguments[3], NULL};
  return fuse_main(4, fuse_arguments, &operations, NULL);
}
