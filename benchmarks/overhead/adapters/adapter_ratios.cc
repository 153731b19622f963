// SPDX-License-Identifier: BSD-3-Clause
//
// adapter_ratios [ROUNDS]: what a begin and an end cost through each adapter, over a begin and an
// end of roofmark's own by name, in turn in the same process. Prints the medians over the rounds
// beside the bar, and exits with 1 if it is missed.
#include <dlfcn.h>
#include <fmt/format.h>
#include <nvtx3/nvToolsExt.h>
#include <roofmark/roofmark.h>
#include <unistd.h>

#include <cstdlib>
#include <iterator>
#include <vector>

#include "benchmarks/overhead/timing.h"

// Of the interfaces that the library of adapters serves (tests/markers/adapters/abi).
extern "C" {
#include <ittnotify.h>
int likwid_markerStartRegion(const char* tag);
int likwid_markerStopRegion(const char* tag);
int PAPI_hl_region_begin(const char* region);
int PAPI_hl_region_end(const char* region);
void cali_begin_region(const char* name);
void cali_end_region(const char* name);
extern uint64_t cali_function_attr_id;
void cali_init(void);
void cali_begin_string(uint64_t attribute, const char* value);
void cali_end(uint64_t attribute);
void cali_begin_string_byname(const char* attribute, const char* value);
void cali_end_byname(const char* attribute);
void kokkosp_begin_parallel_for(const char* label, uint32_t device, uint64_t* id);
void kokkosp_end_parallel_for(uint64_t id);
void kokkosp_push_profile_region(const char* name);
void kokkosp_pop_profile_region(void);
}

namespace {

using roofmark::overhead::Median;
using roofmark::overhead::NsOf;

// Over a marker plus one look-up of a name; two look-ups where the interface wants them.
constexpr double kBar = 1.3, kBarOfTwo = 1.5;
constexpr int kPairs = 20'000;

__itt_domain* const kDomain = __itt_domain_create("itt domain");
__itt_string_handle* const kTask = __itt_string_handle_create("itt");

struct Row {
  const char* what;
  void (*pair)();
  double bar = kBar;
};

constexpr Row kRows[] = {
    {"roofmark, by name",
     [] {
       roofmark_begin("named");
       roofmark_end("named");
     }},
    {"likwid",
     [] {
       likwid_markerStartRegion("likwid");
       likwid_markerStopRegion("likwid");
     }},
    {"caliper, region",
     [] {
       cali_begin_region("caliper");
       cali_end_region("caliper");
     }},
    {"caliper, by number",
     [] {
       cali_begin_string(cali_function_attr_id, "caliper");
       cali_end(cali_function_attr_id);
     }},
    {"caliper, by name",
     [] {
       cali_begin_string_byname("phase", "caliper");
       cali_end_byname("phase");
     },
     kBarOfTwo},
    {"papi",
     [] {
       PAPI_hl_region_begin("papi");
       PAPI_hl_region_end("papi");
     }},
    {"nvtx, push and pop",
     [] {
       nvtxRangePushA("nvtx");
       nvtxRangePop();
     }},
    {"nvtx, start and end", [] { nvtxRangeEnd(nvtxRangeStartA("nvtx")); }},
    {"itt, task",
     [] {
       __itt_task_begin(kDomain, __itt_null, __itt_null, kTask);
       __itt_task_end(kDomain);
     }},
    {"itt, frame",
     [] {
       __itt_frame_begin_v3(kDomain, nullptr);
       __itt_frame_end_v3(kDomain, nullptr);
     }},
    {"kokkos, kernel",
     [] {
       uint64_t id = 0;
       kokkosp_begin_parallel_for("kokkos", 0, &id);
       kokkosp_end_parallel_for(id);
     }},
    {"kokkos, region",
     [] {
       kokkosp_push_profile_region("kokkos region");
       kokkosp_pop_profile_region();
     }},
};

// Recording, with nothing but time, and with the library of adapters where tools are looked for.
void Restart(char** argv) {
  Dl_info adapters;
  if (dladdr(reinterpret_cast<void*>(&likwid_markerStartRegion), &adapters) != 0) {
    setenv("NVTX_INJECTION64_PATH", adapters.dli_fname, 1);
    setenv("INTEL_LIBITTNOTIFY64", adapters.dli_fname, 1);
  }
  setenv("ROOFMARK_COLLECTOR", "timer", 1);
  setenv("ROOFMARK_OUTPUT", "/dev/null", 1);
  setenv("ROOFMARK_QUIET", "1", 1);
  execv("/proc/self/exe", argv);
}

}  // namespace

int main(int argc, char** argv) {
  if (roofmark_active() == 0) Restart(argv);
  cali_init();
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 31;
  std::vector<double> costs[std::size(kRows)], ratios[std::size(kRows)];
  for (int round = 0; round < rounds; ++round) {
    for (size_t i = 0; i < std::size(kRows); ++i) {
      costs[i].push_back(NsOf(kPairs, kRows[i].pair));
      ratios[i].push_back(costs[i].back() / costs[0].back());
    }
  }
  int missed = 0;
  fmt::print("{:<22} {:>9} {:>12} {:>6}\n", "begin/end pair", "ns", "/ by name", "bar");
  for (size_t i = 0; i < std::size(kRows); ++i) {
    const bool met = Median(ratios[i]) <= kRows[i].bar;
    missed += !met;
    fmt::print("{:<22} {:>9.2f} {:>12.3f} {:>6.2f} {}\n", kRows[i].what, Median(costs[i]),
               Median(ratios[i]), kRows[i].bar, met ? "" : "MISSED");
  }
  return missed == 0 ? 0 : 1;
}
