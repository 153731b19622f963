// SPDX-License-Identifier: BSD-3-Clause
#include "calls.h"

#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdarg>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

constexpr char kPerfEvent[] = "anon_inode:[perf_event]";
constexpr unsigned long kPerfType = '$';  // of the kernel's PERF_EVENT_IOC_*

std::atomic<uint64_t> opens{0}, ioctls{0};

template <typename Function>
Function* Real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

uint64_t OpenDescriptors() {
  uint64_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code gone;  // the one that lists
    count += std::filesystem::read_symlink(entry.path(), gone) == kPerfEvent;
  }
  return count;
}

uint64_t Mappings() {
  uint64_t count = 0;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) count += line.ends_with(kPerfEvent);
  return count;
}

}  // namespace

// Both stand in front of libc's.
extern "C" __attribute__((visibility("default"))) long syscall(long number, ...) {
  static auto* const real = Real<long(long, ...)>("syscall");
  va_list list;
  va_start(list, number);
  long a[6];
  for (long& argument : a) argument = va_arg(list, long);
  va_end(list);
  if (number == SYS_perf_event_open) ++opens;
  return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

extern "C" __attribute__((visibility("default"))) int ioctl(int fd, unsigned long request,
                                                            ...) noexcept {
  va_list list;
  va_start(list, request);
  const void* argument = va_arg(list, const void*);
  va_end(list);
  if ((request >> 8 & 0xff) == kPerfType) ++ioctls;
  return RealIoctl(fd, request, argument);
}

int RealIoctl(int fd, unsigned long request, const void* argument) {
  static auto* const real = Real<int(int, unsigned long, const void*)>("ioctl");
  return real(fd, request, argument);
}

void CountCalls(vpmu_statistics& statistics) {
  statistics = {};
  statistics.opens = opens;
  statistics.ioctls = ioctls;
  statistics.open_descriptors = OpenDescriptors();
  statistics.mappings = Mappings();
}

void ForgetCalls() { opens = ioctls = 0; }
