// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/reserved_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "lib/core/descriptor.h"

namespace roofmark {
namespace {

bool Lock(int descriptor) noexcept {
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return fcntl(descriptor, F_OFD_SETLK, &lock) == 0;
}

bool IsReserved(const struct stat& info) noexcept {
  return S_ISREG(info.st_mode) && info.st_size == 0 && info.st_uid == geteuid() &&
         (info.st_mode & S_ISVTX) != 0;
}

}  // namespace

void MarkReserved(int descriptor) noexcept {
  struct stat info;
  if (!Lock(descriptor) || fstat(descriptor, &info) != 0) return;
  fchmod(descriptor, (info.st_mode & 07777) | S_ISVTX);
}

int OpenAbandoned(int directory, const char* name) noexcept {
  const int flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  struct stat opened, named;
  // Asked before it is opened: that may do something to a device.
  const bool seems =
      fstatat(directory, name, &named, AT_SYMLINK_NOFOLLOW) == 0 && IsReserved(named);
  const int fd = seems ? MoveAbove(openat(directory, name, flags)) : -1;
  // Its process may have written the file before the lock was there.
  const bool ours = fd >= 0 && Lock(fd) && fstat(fd, &opened) == 0 && IsReserved(opened) &&
                    fstatat(directory, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
                    OpenFile::Of(opened) == OpenFile::Of(named);
  if (ours) return fd;
  if (fd >= 0) close(fd);
  errno = EEXIST;
  return -1;
}

}  // namespace roofmark
