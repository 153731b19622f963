// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/clock.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

namespace roofmark {

namespace clock_internal {

uint64_t TicksOtherwise() noexcept {
  if (source.load(std::memory_order_relaxed) == TickSource::kUnknown) {
    source.store(TickSourceBy("/sys/devices/system/clocksource/clocksource0/current_clocksource"),
                 std::memory_order_relaxed);
  }
  return source.load(std::memory_order_relaxed) == TickSource::kKernel ? NowNs() : CpuCounter();
}

}  // namespace clock_internal

TickSource TickSourceBy([[maybe_unused]] const char* file) noexcept {
#if defined(__x86_64__)
  const int error_before = errno;
  char text[32];
  ssize_t bytes = -1;
  // The C library's calls are points where a thread may be cancelled; markers are not.
  const auto fd = syscall(SYS_openat, AT_FDCWD, file, O_RDONLY | O_CLOEXEC);
  if (fd >= 0) {
    bytes = syscall(SYS_read, fd, text, sizeof text);
    syscall(SYS_close, fd);
  }
  errno = error_before;
  const std::string_view name(text, bytes > 0 ? static_cast<size_t>(bytes) : 0);
  return name.empty() || name == "tsc\n" ? TickSource::kCpuCounter : TickSource::kKernel;
#else
  return TickSource::kCpuCounter;
#endif
}

bool TicksAreNs() noexcept {
  static_cast<void>(Ticks());
  return clock_internal::source.load(std::memory_order_relaxed) == TickSource::kKernel;
}

ClockPair ReadClocks() noexcept {
  ClockPair best;
  uint64_t best_width = UINT64_MAX;
  for (int i = 0; i < 5; ++i) {
    const uint64_t before = Ticks();
    const uint64_t ns = NowNs();
    const uint64_t after = Ticks();
    if (after - before < best_width) {
      best_width = after - before;
      best = {before + (after - before) / 2, ns};
    }
  }
  return best;
}

double NsPerTick(const ClockPair& start) noexcept {
  constexpr uint64_t kShortestNs = 2'000'000;
  ClockPair now = ReadClocks();
  while (now.ns - start.ns < kShortestNs) now = ReadClocks();
  if (now.ticks <= start.ticks) return 1.0;
  return static_cast<double>(now.ns - start.ns) / static_cast<double>(now.ticks - start.ticks);
}

}  // namespace roofmark
