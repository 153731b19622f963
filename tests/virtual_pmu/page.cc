// SPDX-License-Identifier: BSD-3-Clause
#include "page.h"

#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

#include "processor.h"
#include "real.h"
#include "state.h"

namespace vpmu {
namespace {

// Counters of 48 bits begin as far below zero as the kernel arms them, and go on from where they
// were when they are scheduled again: only a reader that extends the sign and adds the offset
// gets it right.
constexpr uint64_t kArmed = (uint64_t{1} << 47) - 1;

struct {
  bool known;
  uint16_t shift;
  uint32_t mult;
} clock_parameters;

uint64_t TscNs() {
  const uint64_t cycles = __builtin_ia32_rdtsc();
  const uint64_t mask = (uint64_t{1} << clock_parameters.shift) - 1;
  return (cycles >> clock_parameters.shift) * clock_parameters.mult +
         (((cycles & mask) * clock_parameters.mult) >> clock_parameters.shift);
}

void Fill(uint32_t number, perf_event_mmap_page& page) {
  const Event& event = State().events[number];
  // Events of the wrapping faults exist for read() alone.
  const bool allowed =
      NoRdpmc() == nullptr && !State().rules.no_user_read && event.start == 0 && event.lost == 0;
  const bool readable = event.on && allowed;
  const bool runs = clock_parameters.known && !State().frozen;
  page.index = readable ? kFirstIndex + number + 1 : 0;
  page.offset = static_cast<int64_t>(event.count + (readable ? kArmed - event.hardware : 0));
  page.time_enabled = event.enabled_ns;
  page.time_running = event.running_ns;
  page.cap_user_rdpmc = allowed;
  page.cap_user_time = runs;
  page.pmc_width = 48;
  page.time_shift = clock_parameters.shift;
  page.time_mult = runs ? clock_parameters.mult : 0;
  page.time_offset = runs ? uint64_t{0} - TscNs() : 0;
}

}  // namespace

void LearnClock() {
  perf_event_attr attr{};
  attr.type = PERF_TYPE_SOFTWARE;
  attr.config = PERF_COUNT_SW_DUMMY;
  attr.size = sizeof(attr);
  attr.exclude_kernel = attr.exclude_hv = 1;
  const int fd = static_cast<int>(REAL(syscall)(SYS_perf_event_open, &attr, 0, -1, -1, 0));
  if (fd < 0) return;
  void* mapped = REAL(mmap)(nullptr, 4096, PROT_READ, MAP_SHARED, fd, 0);
  if (mapped != MAP_FAILED) {
    const auto* page = static_cast<const perf_event_mmap_page*>(mapped);
    clock_parameters = {page->cap_user_time != 0, page->time_shift, page->time_mult};
    REAL(munmap)(mapped, 4096);
  }
  REAL(close)(fd);
}

void UpdatePage(uint32_t number) {
  const Event& event = State().events[number];
  if (!event.mapped) return;
  auto* page = static_cast<perf_event_mmap_page*>(PageOf(number));
  std::atomic_ref<uint32_t> lock(page->lock);
  lock.fetch_add(1, std::memory_order_seq_cst);
  Fill(number, *page);
  lock.fetch_add(1, std::memory_order_seq_cst);
}

uint64_t ReadHardwareCounter(uint32_t index, int tid) {
  const uint32_t number = index - kFirstIndex;
  if (number == 0 || number >= State().events_end) return 0;
  const Event& event = State().events[number];
  // Another thread's counter is not on this CPU: something unrelated is.
  if (!event.used || !event.on || event.tid != tid) return 0x123456789 + index;
  return (event.hardware - kArmed) & kMask48;
}

}  // namespace vpmu
