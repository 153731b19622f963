// SPDX-License-Identifier: BSD-3-Clause
#include "descriptors.h"

#include <atomic>
#include <cerrno>

#include "state.h"

namespace vpmu {
namespace {

constexpr int kMost = 1 << 16;
constexpr uint32_t kUnknown = 0, kIsOther = 1, kIsReal = 2, kFirstEvent = 3;

std::atomic<uint32_t> table[kMost];

void Store(int fd, uint32_t value) {
  if (fd >= 0 && fd < kMost) table[fd].store(value, std::memory_order_relaxed);
}

// Asks the kernel; the caller's errno stays.
uint32_t Identify(int fd) {
  const int saved = errno;
  const uint32_t event = EventOf(fd);
  errno = saved;
  return event == 0 ? kIsOther : kFirstEvent + event;
}

}  // namespace

Descriptor Lookup(int fd) {
  if (fd < 0) return {Descriptor::kOther, 0};
  uint32_t value = fd < kMost ? table[fd].load(std::memory_order_relaxed) : kUnknown;
  if (value == kUnknown) {
    value = Identify(fd);
    Store(fd, value);
  }
  if (value == kIsOther) return {Descriptor::kOther, 0};
  if (value == kIsReal) return {Descriptor::kReal, 0};
  return {Descriptor::kVirtual, value - kFirstEvent};
}

void Remember(int fd, uint32_t event) { Store(fd, kFirstEvent + event); }
void RememberReal(int fd) { Store(fd, kIsReal); }
void Forget(int fd) { Store(fd, kUnknown); }

void ForgetAll() {
  for (int fd = 0; fd < kMost; ++fd) Forget(fd);
}

}  // namespace vpmu
