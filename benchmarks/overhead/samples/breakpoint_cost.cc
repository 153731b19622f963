// SPDX-License-Identifier: BSD-3-Clause
//
// breakpoint_cost [ROUNDS]: how much an execution of an instruction costs that the processor's
// breakpoints count, as in the third execution of `roofmark run --auto`. Calls a function with and
// without a breakpoint at its first instruction, in turn, and prints the median over rounds of the
// difference per call. Exits with 77 where this machine offers no breakpoints.
#include <fmt/format.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "benchmarks/overhead/timing.h"

namespace {

using roofmark::overhead::Median;
using roofmark::overhead::NsOf;

constexpr int kCalls = 20'000;

__attribute__((noinline)) void Counted() { asm volatile("" ::: "memory"); }

// The descriptor, or below 0.
int Count(void (*function)()) {
  perf_event_attr attr{};
  attr.size = sizeof attr;
  attr.type = PERF_TYPE_BREAKPOINT;
  attr.bp_type = HW_BREAKPOINT_X;
  attr.bp_addr = reinterpret_cast<uintptr_t>(function);
  attr.bp_len = sizeof(long);
  attr.exclude_kernel = 1;
  attr.exclude_hv = 1;
  return static_cast<int>(syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

// ns of a call that is counted; 0 where not each of them was.
double Counting() {
  const int event = Count(&Counted);
  if (event < 0) return 0;
  const double ns = NsOf(kCalls, Counted);
  uint64_t times = 0;
  const bool read_it = read(event, &times, sizeof times) == sizeof times;
  close(event);
  return read_it && times == kCalls ? ns : 0;
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 15;
  const int event = Count(&Counted);
  if (event < 0) {
    fmt::print("skipped: this machine offers no breakpoints: {}\n", std::strerror(errno));
    return 77;
  }
  close(event);
  std::vector<double> costs;
  for (int round = 0; round < rounds; ++round) {
    const double without = NsOf(kCalls, Counted), with = Counting();
    if (with > 0) costs.push_back(with - without);
  }
  fmt::print("an execution that is counted: {:.2f} us more (median of {} rounds)\n",
             Median(costs) / 1000, costs.size());
  return costs.empty() ? 1 : 0;
}
