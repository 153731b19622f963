// SPDX-License-Identifier: BSD-3-Clause
//
// wait_cost: what libroofmark_mpi_wait.so adds to an MPI call, beside two readings of the clock in
// the same run. The MPI behind it is a function that does nothing, so the whole difference is the
// cost of roofmark.
#include <roofmark/roofmark.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "lib/core/clock.h"

extern "C" int MPI_Test(void* request, int* flag, void* status);
extern "C" int PMPI_Test(void* request, int* flag, void* status);

namespace {

constexpr int kCalls = 200'000, kRounds = 21;

// Nanoseconds per call; the median of the rounds.
template <typename Call>
double Measure(Call call) {
  std::vector<double> rounds;
  for (int round = 0; round < kRounds; ++round) {
    const uint64_t start = roofmark::NowNs();
    for (int i = 0; i < kCalls; ++i) call();
    rounds.push_back(static_cast<double>(roofmark::NowNs() - start) / kCalls);
  }
  std::nth_element(rounds.begin(), rounds.begin() + kRounds / 2, rounds.end());
  return rounds[kRounds / 2];
}

}  // namespace

int main() {
  int flag = 0;
  uint64_t sink = 0;
  ROOF_REGION_BEGIN("calls");
  const double bare = Measure([&] { PMPI_Test(nullptr, &flag, nullptr); });
  const double wrapped = Measure([&] { MPI_Test(nullptr, &flag, nullptr); });
  const double ticks = Measure([&] {
    const uint64_t start = roofmark::Ticks();
    asm volatile("" ::: "memory");
    sink += roofmark::Ticks() - start;
  });
  ROOF_REGION_END("calls");
  std::printf("recording %s: bare call %.1f ns, wrapped %.1f ns, two clock readings %.1f ns: ",
              roofmark_active() ? "on" : "off", bare, wrapped, ticks);
  std::printf("%.1f ns more, %.2f of the readings\n", wrapped - bare, (wrapped - bare) / ticks);
  return sink == 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
