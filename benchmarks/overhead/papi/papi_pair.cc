// SPDX-License-Identifier: BSD-3-Clause
//
// papi_pair [MACHINE [ROUNDS]]: what one begin/end pair of a thread's region costs with a group of
// four events on a virtual machine, through the perf_event engine and through the papi collector,
// beside the two PAPI_read that a program would call there, and beside two bare reads of such a
// group, below which nothing that reads twice can be. A region of the team looks besides for
// threads that are new (one fstat per boundary). All in turn in each round, medians of rounds.
// Exits with 1 if the engine misses its bar, with 77 if there is no virtual PMU.
#include <fmt/format.h>
#include <papi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "benchmarks/overhead/timing.h"
#include "collectors/hardware/papi/api.h"
#include "collectors/hardware/perf/group.h"
#include "collectors/hardware/perf/thread_groups.h"
#include "collectors/hardware/threads/threads.h"
#include "collectors/papi/source.h"
#include "virtual_pmu.h"

namespace {

using namespace roofmark;  // NOLINT
using overhead::CpuNsOf;
using overhead::Median;

constexpr int kTimes = 2000;

// Of the pair over PAPI_read's.
constexpr double kBar = 0.6;
// Of the pair over two bare reads: what keeping sums by path may add.
constexpr double kReachable = 3.0;
// Four events of Skylake: scalar and 256-bit double precision, instructions, cycles.
constexpr uint64_t kConfigs[] = {0x1c7, 0x10c7, 0xc0, 0x3c};
constexpr const char* kNames[] = {"FP_ARITH:SCALAR_DOUBLE", "FP_ARITH:256B_PACKED_DOUBLE",
                                  "INST_RETIRED:ANY_P", "CPU_CLK_UNHALTED:THREAD_P"};

perf::EventSet KernelsSet() {
  std::vector<perf_event_attr> events;
  for (const uint64_t config : kConfigs) {
    perf_event_attr attr{};
    attr.type = PERF_TYPE_RAW;
    attr.config = config;
    events.push_back(attr);
  }
  return {{events}, false};
}

// As a program uses it: its own thread's events, one running set.
class ProgramsPapi {
 public:
  ProgramsPapi() {
    ok_ = PAPI_create_eventset(&set_) == PAPI_OK;
    for (const char* name : kNames) ok_ = ok_ && PAPI_add_named_event(set_, name) == PAPI_OK;
    ok_ = ok_ && PAPI_start(set_) == PAPI_OK;
  }
  bool ok() const { return ok_; }
  void Read() {
    long long values[4];
    PAPI_read(set_, values);
  }

 private:
  int set_ = PAPI_NULL;
  bool ok_ = false;
};

papi::Sets PapisSets() {
  papi::Sets sets;
  sets.codes.emplace_back();
  for (const char* name : kNames) {
    const Result<papi::Definition> definition = papi::FindEvent(name);
    if (definition) sets.codes.back().push_back(definition->code);
  }
  sets.natives = sets.codes.back().size();
  return sets;
}

struct Costs {
  std::vector<double> papi, reads, own, team;
};

// One engine at a time is told of the program's threads.
Costs Measure(threads::Source& source, const perf::Group& bare, ProgramsPapi& program, int rounds) {
  threads::Threads engine(source, threads::DescriptorBudget());
  threads::Reading reading;
  Costs costs;
  for (int round = 0; round < rounds; ++round) {
    costs.papi.push_back(CpuNsOf(kTimes, [&] {
      program.Read();
      program.Read();
    }));
    costs.reads.push_back(CpuNsOf(kTimes, [&] {
      bare.Read(reading);
      bare.Read(reading);
    }));
    costs.own.push_back(CpuNsOf(kTimes, [&] {
      engine.EnterOwn(1);
      engine.EnterOwn(0);
    }));
    costs.team.push_back(CpuNsOf(kTimes, [&] {
      engine.EnterTeam(1);
      engine.EnterTeam(0);
    }));
  }
  return costs;
}

double Ratio(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> ratios;
  for (size_t i = 0; i < a.size(); ++i) ratios.push_back(a[i] / b[i]);
  return Median(ratios);
}

void Print(const char* what, const Costs& costs) {
  fmt::print(
      "  {:10}: pair {:.0f} ns (of the team {:.0f}), two PAPI_read {:.0f}, two bare reads {:.0f}; "
      "pair over PAPI_read {:.2f}, over bare reads {:.2f}, bare reads over PAPI_read {:.2f}\n",
      what, Median(costs.own), Median(costs.team), Median(costs.papi), Median(costs.reads),
      Ratio(costs.own, costs.papi), Ratio(costs.own, costs.reads), Ratio(costs.reads, costs.papi));
}

int Judge(const Costs& costs) {
  const double ratio = Ratio(costs.own, costs.papi), added = Ratio(costs.own, costs.reads);
  const bool possible = Ratio(costs.reads, costs.papi) <= kBar;
  if (possible) {
    fmt::print("  bar {:.1f} of PAPI_read: {}\n", kBar, ratio <= kBar ? "met" : "missed");
    return ratio <= kBar ? 0 : 1;
  }
  fmt::print(
      "  bar {:.1f} of PAPI_read: out of reach here, two bare reads alone cost more; bar "
      "{:.1f} of bare reads: {}\n",
      kBar, kReachable, added <= kReachable ? "met" : "missed");
  return added <= kReachable ? 0 : 1;
}

// By read(2): where rdpmc is emulated it measures the traps.
int Compare(int rounds) {
  vpmu_set_user_read(0);
  if (PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT) return 77;
  ProgramsPapi program;
  threads::OpenFailure failure;
  perf::ThreadGroups kernels(KernelsSet());
  const auto bare = perf::Group::Open(KernelsSet().groups[0], 0, -1, false, &failure);
  if (!program.ok() || !bare) return 77;
  const Costs engine = Measure(kernels, *bare, program, rounds);
  Print("perf_event", engine);
  if (papi::WhyNoPapi().empty()) {
    papi::PapiSource papis(PapisSets());
    Print("papi", Measure(papis, *bare, program, rounds));
  }
  return Judge(engine);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string machine = argc > 1 ? argv[1] : VPMU_MACHINES "/skx";
  const int rounds = std::max(argc > 2 ? std::atoi(argv[2]) : 31, 1);
  if (!vpmu_present() || vpmu_use(machine.c_str()) != 0 || vpmu_no_cpuid() != nullptr) {
    fmt::print("skipped: no virtual PMU here\n");
    return 77;
  }
  const int result = Compare(rounds);
  if (result == 77) fmt::print("skipped: PAPI does not count on this virtual machine\n");
  return result;
}
