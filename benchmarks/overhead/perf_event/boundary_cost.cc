// SPDX-License-Identifier: BSD-3-Clause
//
// boundary_cost [ROUNDS]: what one begin/end pair costs with a group of four software events,
// beside two raw reads of such a group in the same round; median of rounds. Exits with 1 if the bar
// is missed, with 77 if software events cannot be opened.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "benchmarks/overhead/timing.h"
#include "collectors/hardware/perf/explain.h"
#include "collectors/hardware/perf/group.h"
#include "collectors/hardware/perf/thread_groups.h"
#include "collectors/hardware/threads/threads.h"

namespace {

using namespace roofmark;  // NOLINT
using overhead::CpuNsOf;
using overhead::Median;

constexpr int kTimes = 5000;

constexpr double kBar = 2.2;

std::vector<perf_event_attr> FourSoftwareEvents() {
  std::vector<perf_event_attr> events;
  for (const uint64_t config : {PERF_COUNT_SW_TASK_CLOCK, PERF_COUNT_SW_PAGE_FAULTS,
                                PERF_COUNT_SW_PAGE_FAULTS_MIN, PERF_COUNT_SW_PAGE_FAULTS_MAJ}) {
    perf_event_attr attr{};
    attr.type = PERF_TYPE_SOFTWARE;
    attr.config = config;
    events.push_back(attr);
  }
  return events;
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = std::max(argc > 1 ? std::atoi(argv[1]) : 21, 1);
  const std::vector<perf_event_attr> events = FourSoftwareEvents();
  threads::OpenFailure failure;
  const auto group = perf::Group::Open(events, 0, -1, false, &failure);
  if (!group) {
    fmt::print("skipped: {}\n", perf::ExplainOpen(failure.error, false).reason);
    return 77;
  }
  perf::ThreadGroups source({{events}, false});
  threads::Threads team(source, threads::DescriptorBudget());
  threads::Reading reading;
  std::vector<double> pairs, reads, ratios;
  for (int round = 0; round < rounds; ++round) {
    reads.push_back(CpuNsOf(kTimes, [&] {
      group->Read(reading);
      group->Read(reading);
    }));
    pairs.push_back(CpuNsOf(kTimes, [&] {
      team.EnterTeam(1);
      team.EnterTeam(0);
    }));
    ratios.push_back(pairs.back() / reads.back());
  }
  const double ratio = Median(ratios);
  fmt::print("begin/end pair {:.0f} ns, two raw group reads {:.0f} ns, ratio {:.2f} (bar {:.1f})\n",
             Median(pairs), Median(reads), ratio, kBar);
  return ratio <= kBar ? 0 : 1;
}
