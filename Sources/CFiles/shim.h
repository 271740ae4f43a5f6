#include <stdint.h>

// `statx` is hidden from Swift: the headers declare it under `_GNU_SOURCE` only.
#if defined(__linux__) && __has_include(<linux/stat.h>)
#include <linux/stat.h>

int statx(int folder, const char *path, int flags, unsigned int mask, struct statx *status);

// What tells the file at a path, or that of a descriptor if there is no path, from another one: its
// number and its device.
//
// Its times are not asked for. Since Linux 6.13 whoever asks for them makes the next write keep
// a finer one, and the inode has to go to the disk with the next sync.
static inline int tidemark_identify(int descriptor, const char *path, uint64_t *device,
                                    uint64_t *number) {
  const int workingFolder = -100, emptyPathIsDescriptor = 0x1000;
  struct statx status;
  int result = path ? statx(workingFolder, path, 0, STATX_INO, &status)
                    : statx(descriptor, "", emptyPathIsDescriptor, STATX_INO, &status);
  if (result != 0) return -1;
  *device = (uint64_t)status.stx_dev_major << 32 | status.stx_dev_minor;
  *number = status.stx_ino;
  return 0;
}
#else
#include <sys/stat.h>

static inline int tidemark_identify(int descriptor, const char *path, uint64_t *device,
                                    uint64_t *number) {
  struct stat status;
  if ((path ? stat(path, &status) : fstat(descriptor, &status)) != 0) return -1;
  *device = (uint64_t)status.st_dev;
  *number = (uint64_t)status.st_ino;
  return 0;
}
#endif
