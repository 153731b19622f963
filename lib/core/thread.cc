// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/thread.h"

#include <dirent.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <charconv>
#include <cstring>

namespace roofmark {
namespace {

std::optional<uint64_t> ReadClock(clockid_t clock) noexcept {
  timespec now;
  if (clock_gettime(clock, &now) != 0) return std::nullopt;
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(now.tv_nsec);
}

}  // namespace

pid_t ThisThread() noexcept { return static_cast<pid_t>(syscall(SYS_gettid)); }

bool IsGone(pid_t tid) noexcept { return syscall(SYS_tgkill, getpid(), tid, 0) != 0; }

std::optional<uint64_t> ThreadCpuNs(pid_t tid) noexcept {
  // The kernel's number for the CPU time of a thread, see CPUCLOCK_PERTHREAD_MASK there; glibc
  // gives it for a pthread_t alone.
  constexpr unsigned kOfThread = 4, kPrecise = 2;
  const auto clock =
      static_cast<clockid_t>((~static_cast<unsigned>(tid) << 3) | kOfThread | kPrecise);
  return ReadClock(clock);
}

std::optional<uint64_t> ProcessCpuNs() noexcept { return ReadClock(CLOCK_PROCESS_CPUTIME_ID); }

std::vector<pid_t> NumbersIn(const char* directory) {
  std::vector<pid_t> numbers;
  DIR* open = opendir(directory);
  if (open == nullptr) return numbers;
  while (const dirent* entry = readdir(open)) {
    pid_t number = 0;
    const char* end = entry->d_name + std::strlen(entry->d_name);
    if (std::from_chars(entry->d_name, end, number).ptr == end) numbers.push_back(number);
  }
  closedir(open);
  return numbers;
}

}  // namespace roofmark
