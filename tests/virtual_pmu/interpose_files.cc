// SPDX-License-Identifier: BSD-3-Clause
//
// Calls that name files.
#include <dirent.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

#include "descriptors.h"
#include "machine.h"
#include "real.h"
#include "redirect.h"

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace vpmu {
namespace {

mode_t ModeOf(int flags, va_list list) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(list, mode_t) : 0;
}

int OpenAt(int directory, const char* path, int flags, mode_t mode) {
  const int live = OpenLive(path);
  const int fd = live >= 0 ? live : REAL(openat)(directory, Redirected(path).path(), flags, mode);
  if (fd >= 0 && Current() != nullptr) Forget(fd);
  return fd;
}

FILE* OpenStream(const char* path, const char* mode) {
  const int live = OpenLive(path);
  return live >= 0 ? fdopen(live, mode) : REAL(fopen)(Redirected(path).path(), mode);
}

// What the kernel says of an event's descriptor, so that programs that look there see no
// difference.
ssize_t EventLink(const char* path, char* buffer, size_t size) {
  int fd = -1;
  char rest = 0;
  const bool names_one = sscanf(path, "/proc/self/fd/%d%c", &fd, &rest) == 1 ||
                         sscanf(path, "/proc/thread-self/fd/%d%c", &fd, &rest) == 1;
  if (Current() == nullptr || !names_one) return -1;
  if (Lookup(fd).kind != Descriptor::kVirtual) return -1;
  const char name[] = "anon_inode:[perf_event]";
  const size_t length = size < sizeof(name) - 1 ? size : sizeof(name) - 1;
  memcpy(buffer, name, length);
  return static_cast<ssize_t>(length);
}

}  // namespace
}  // namespace vpmu

using vpmu::Redirected;

#define OPEN(name)                                    \
  EXPORT int name(const char* path, int flags, ...) { \
    va_list list;                                     \
    va_start(list, flags);                            \
    const mode_t mode = vpmu::ModeOf(flags, list);    \
    va_end(list);                                     \
    return vpmu::OpenAt(AT_FDCWD, path, flags, mode); \
  }
#define OPENAT(name)                                                 \
  EXPORT int name(int directory, const char* path, int flags, ...) { \
    va_list list;                                                    \
    va_start(list, flags);                                           \
    const mode_t mode = vpmu::ModeOf(flags, list);                   \
    va_end(list);                                                    \
    return vpmu::OpenAt(directory, path, flags, mode);               \
  }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)
EXPORT int __open_2(const char* path, int flags) { return vpmu::OpenAt(AT_FDCWD, path, flags, 0); }
EXPORT int __open64_2(const char* path, int flags) {
  return vpmu::OpenAt(AT_FDCWD, path, flags, 0);
}

EXPORT FILE* fopen(const char* path, const char* mode) { return vpmu::OpenStream(path, mode); }
EXPORT FILE* fopen64(const char* path, const char* mode) { return vpmu::OpenStream(path, mode); }

EXPORT DIR* opendir(const char* path) { return REAL(opendir)(Redirected(path).path()); }

EXPORT int scandir(const char* path, dirent*** names, int (*filter)(const dirent*),
                   int (*compare)(const dirent**, const dirent**)) {
  return REAL(scandir)(Redirected(path).path(), names, filter, compare);
}

EXPORT int access(const char* path, int mode) noexcept {
  return REAL(access)(Redirected(path).path(), mode);
}

EXPORT int faccessat(int directory, const char* path, int mode, int flags) noexcept {
  return REAL(faccessat)(directory, Redirected(path).path(), mode, flags);
}

EXPORT int stat(const char* path, struct stat* status) noexcept {
  return REAL(stat)(Redirected(path).path(), status);
}

EXPORT int stat64(const char* path, struct stat64* status) noexcept {
  return REAL(stat64)(Redirected(path).path(), status);
}

EXPORT int lstat(const char* path, struct stat* status) noexcept {
  return REAL(lstat)(Redirected(path).path(), status);
}

EXPORT int lstat64(const char* path, struct stat64* status) noexcept {
  return REAL(lstat64)(Redirected(path).path(), status);
}

EXPORT int fstatat(int directory, const char* path, struct stat* status, int flags) noexcept {
  return REAL(fstatat)(directory, Redirected(path).path(), status, flags);
}

EXPORT int fstatat64(int directory, const char* path, struct stat64* status, int flags) noexcept {
  return REAL(fstatat64)(directory, Redirected(path).path(), status, flags);
}

EXPORT int statx(int directory, const char* path, int flags, unsigned mask,
                 struct statx* status) noexcept {
  return REAL(statx)(directory, Redirected(path).path(), flags, mask, status);
}

EXPORT ssize_t readlink(const char* path, char* buffer, size_t size) noexcept {
  const ssize_t known = vpmu::EventLink(path, buffer, size);
  return known >= 0 ? known : REAL(readlink)(Redirected(path).path(), buffer, size);
}

EXPORT ssize_t readlinkat(int directory, const char* path, char* buffer, size_t size) noexcept {
  return REAL(readlinkat)(directory, Redirected(path).path(), buffer, size);
}
