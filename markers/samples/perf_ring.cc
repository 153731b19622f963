// SPDX-License-Identifier: BSD-3-Clause
#include "markers/samples/perf_ring.h"

#include <asm/perf_regs.h>
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace roofmark::samples {
namespace {

// The header, the kind of registers (0: none), and the program counter in user mode: for a sample
// in the kernel, where that was called or faulted.
constexpr size_t kSampleBytes = sizeof(perf_event_header) + 2 * sizeof(uint64_t);
#ifdef __aarch64__
constexpr int kProgramCounter = PERF_REG_ARM64_PC;
#else
constexpr int kProgramCounter = PERF_REG_X86_IP;
#endif
// Two thirds of a second of a thread at 1 kHz. Every page costs a thread that begins and ends about
// 5 us, and counts against the user's limit.
constexpr size_t kUsualBytes = size_t{16} << 10;

size_t PageSize() noexcept {
  static const auto size = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

int OpenEvent(pid_t tid, uint64_t period_ns, bool with_kernel) noexcept {
  perf_event_attr attr{};
  attr.size = sizeof attr;
  attr.type = PERF_TYPE_SOFTWARE;
  attr.config = PERF_COUNT_SW_CPU_CLOCK;
  attr.sample_period = period_ns;
  attr.sample_type = PERF_SAMPLE_REGS_USER;
  attr.sample_regs_user = uint64_t{1} << kProgramCounter;
  attr.exclude_kernel = !with_kernel;
  attr.exclude_hv = 1;
  return static_cast<int>(
      syscall(SYS_perf_event_open, &attr, tid, /*cpu=*/-1, /*group=*/-1, PERF_FLAG_FD_CLOEXEC));
}

}  // namespace

size_t PerfRing::Capacity() noexcept { return std::max(kUsualBytes, PageSize()) / kSampleBytes; }

std::optional<PerfRing> PerfRing::Open(pid_t tid, uint64_t period_ns, bool with_kernel,
                                       Failure* failure) noexcept {
  const int event = OpenEvent(tid, period_ns, with_kernel);
  if (event < 0) {
    *failure = {errno, Failure::Of::kEvent};
    return std::nullopt;
  }
  const size_t bytes = std::max(kUsualBytes, PageSize());
  void* mapped = mmap(nullptr, PageSize() + bytes, PROT_READ | PROT_WRITE, MAP_SHARED, event, 0);
  if (mapped == MAP_FAILED) *failure = {errno, Failure::Of::kRing};
  close(event);
  if (mapped == MAP_FAILED) return std::nullopt;
  return PerfRing(static_cast<perf_event_mmap_page*>(mapped), bytes);
}

PerfRing::PerfRing(PerfRing&& other) noexcept
    : page_(std::exchange(other.page_, nullptr)), bytes_(other.bytes_) {}

PerfRing& PerfRing::operator=(PerfRing&& other) noexcept {
  std::swap(page_, other.page_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

PerfRing::~PerfRing() {
  if (page_ != nullptr) munmap(page_, PageSize() + bytes_);
}

// Records are multiples of eight bytes, and begin at such ones: no word is cut by the ring's end.
uint64_t PerfRing::Word(uint64_t at) const noexcept {
  uint64_t word;
  const char* data = reinterpret_cast<const char*>(page_) + PageSize();
  std::memcpy(&word, data + (at & (bytes_ - 1)), sizeof word);
  return word;
}

void PerfRing::Drain(const Addresses& addresses, Drained& drained) noexcept {
  const uint64_t head = __atomic_load_n(&page_->data_head, __ATOMIC_ACQUIRE);
  uint64_t at = page_->data_tail;
  while (at < head) {
    perf_event_header header;
    const uint64_t first = Word(at);
    std::memcpy(&header, &first, sizeof header);
    if (header.size < sizeof header || header.size > head - at) {
      at = head;  // the kernel never writes that; nothing behind it can be read
      break;
    }
    if (header.type == PERF_RECORD_SAMPLE) {
      const bool in_user = (header.misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_USER;
      drained.kernel += in_user ? 0 : 1;
      if (header.size >= kSampleBytes) {
        drained.Take(Word(at + sizeof header + sizeof(uint64_t)),
                     in_user ? addresses.in_user : addresses.in_kernel);
      } else {
        drained.TakeWithoutAddress();
      }
    } else if (header.type == PERF_RECORD_LOST) {
      drained.lost += Word(at + sizeof header + sizeof(uint64_t));  // behind the event's id
    }
    at += header.size;
  }
  __atomic_store_n(&page_->data_tail, at, __ATOMIC_RELEASE);
}

}  // namespace roofmark::samples
