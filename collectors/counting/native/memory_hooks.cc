// SPDX-License-Identifier: BSD-3-Clause
//
// Functions by which other code comes to the place of what the native engine has translated,
// outside of regions, where it does not see system calls. The heap calls them as well, before the
// library's constructors: then they are the system calls.
#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>

#include "collectors/counting/native/hooks.h"

namespace {

using Map = void* (*)(void*, size_t, int, int, int, off_t);
using Unmap = int (*)(void*, size_t);
using Remap = void* (*)(void*, size_t, size_t, int, ...);
using Protect = int (*)(void*, size_t, int);

Map g_map = nullptr;
Unmap g_unmap = nullptr;
Remap g_remap = nullptr;
Protect g_protect = nullptr;

template <typename Function>
Function Next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

__attribute__((constructor)) void LookUp() {
  g_map = Next<Map>("mmap");
  g_unmap = Next<Unmap>("munmap");
  g_remap = Next<Remap>("mremap");
  g_protect = Next<Protect>("mprotect");
}

void* Place(long result) {
  return reinterpret_cast<void*>(result);  // NOLINT(performance-no-int-to-ptr): of the kernel
}

void Tell(bool changed, const void* begin, size_t bytes) noexcept {
  const roof_native_calls* calls = changed ? roofmark::counting::ToldEngine() : nullptr;
  if (calls == nullptr) return;
  const int error = errno;
  calls->memory_replaced(begin, bytes);
  errno = error;
}

void* MapAndTell(void* at, size_t bytes, int protection, int flags, int file,
                 off_t offset) noexcept {
  void* const got = g_map != nullptr
                        ? g_map(at, bytes, protection, flags, file, offset)
                        : Place(syscall(SYS_mmap, at, bytes, protection, flags, file, offset));
  Tell((flags & MAP_FIXED) != 0 && got != MAP_FAILED, at, bytes);
  return got;
}

}  // namespace

#define ROOF_HOOK extern "C" __attribute__((visibility("default")))

ROOF_HOOK void* mmap(void* at, size_t bytes, int protection, int flags, int file,
                     off_t offset) noexcept {
  return MapAndTell(at, bytes, protection, flags, file, offset);
}
ROOF_HOOK void* mmap64(void* at, size_t bytes, int protection, int flags, int file,
                       off_t offset) noexcept {
  return MapAndTell(at, bytes, protection, flags, file, offset);
}

ROOF_HOOK int munmap(void* begin, size_t bytes) noexcept {
  const int result = g_unmap != nullptr ? g_unmap(begin, bytes)
                                        : static_cast<int>(syscall(SYS_munmap, begin, bytes));
  Tell(result == 0, begin, bytes);
  return result;
}

ROOF_HOOK void* mremap(void* begin, size_t bytes, size_t new_bytes, int flags, ...) noexcept {
  va_list more;
  va_start(more, flags);
  void* const to = va_arg(more, void*);  // as libc does, whether it was given or not
  va_end(more);
  void* const got = g_remap != nullptr
                        ? g_remap(begin, bytes, new_bytes, flags, to)
                        : Place(syscall(SYS_mremap, begin, bytes, new_bytes, flags, to));
  Tell(got != MAP_FAILED, begin, bytes);
  Tell(got != MAP_FAILED && (flags & MREMAP_FIXED) != 0, to, new_bytes);
  return got;
}

ROOF_HOOK int mprotect(void* begin, size_t bytes, int protection) noexcept {
  const int result = g_protect != nullptr
                         ? g_protect(begin, bytes, protection)
                         : static_cast<int>(syscall(SYS_mprotect, begin, bytes, protection));
  const int error = errno;
  if (const roof_native_calls* calls = roofmark::counting::ToldEngine()) {
    calls->memory_changed(begin, bytes);
  }
  errno = error;
  return result;
}
