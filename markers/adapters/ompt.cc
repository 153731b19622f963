// SPDX-License-Identifier: BSD-3-Clause
//
// OMPT: LLVM's and Intel's runtimes ask for ompt_start_tool when they start, and then say when
// parallel constructs and, from LLVM 17 on, those for devices begin and end. Each is a region of
// its place in the code, on the thread that encounters it. An end may come with another place than
// its begin, so ends are those of ranges.
#include <dlfcn.h>

#include <atomic>

#include "markers/adapters/call.h"
#include "markers/adapters/constructs.h"
#include "markers/adapters/kernels.h"
#include "markers/adapters/ompt_other.h"
#include "markers/adapters/open_ranges.h"

extern "C" {
// Of libroofmark_constructs.so; missing where it is not preloaded.
__attribute__((weak)) void roofmark_take_fork_call(roofmark::ForkCall* call);
// Of libroofmark_openmp_wait.so; missing where no times of OpenMP are measured.
__attribute__((weak)) roofmark::ompt::StartTool* roofmark_openmp_tool(void);
// That library may stand between the program and the runtime: what the program has.
__attribute__((weak)) void roofmark_openmp_fork(const void** caller, const void** body);
}

namespace {

using namespace roofmark::adapters;
using namespace roofmark::ompt;

enum Own { kBegins, kEnds, kTargets };  // of g_own
constexpr uint64_t kConstructs = 0x4F4D5054, kDevices = 0x4F4D5055;

uint32_t RegionFor(const void* code, int flags) {
  roofmark::ForkCall fork;
  if (roofmark_take_fork_call != nullptr) roofmark_take_fork_call(&fork);
  // How Kokkos executes a kernel is no construct of the program.
  if (InKernel() || code == nullptr) return 0;
  if (roofmark_openmp_fork != nullptr) roofmark_openmp_fork(&code, &fork.body);
  return RegionOfConstruct({code, fork, (flags & kLeague) != 0 ? "teams" : "parallel"});
}

uint32_t RegionForTarget(int kind, const void* code) {
  if (InKernel() || code == nullptr) return 0;
  constexpr const char* kWords[] = {"target", "target enter data", "target exit data",
                                    "target update"};
  const int which = (kind & ~kNoWait) - kOfTarget;
  const bool known = which >= 0 && which <= kUpdate - kOfTarget;
  return known ? RegionOfConstruct({code, {}, kWords[which]}) : 0;
}

// The region is around what the other tool does: the times that it measures belong to the region.
void OnParallelBegin(Data* task, const void* frame, Data* parallel, unsigned threads, int flags,
                     const void* code) {
  // In `teams`, too, whose threads omp_get_level() does not count as parallel.
  const bool nested = OpenRanges(kConstructs) > 0;
  BeginRange(kConstructs, RegionFor(code, flags), nested);
  if (const auto other = reinterpret_cast<ParallelBegin>(OtherCallback(kBegins))) {
    other(task, frame, parallel, threads, flags, code);
  }
}

void OnParallelEnd(Data* parallel, Data* task, int flags, const void* code) {
  if (const auto other = reinterpret_cast<ParallelEnd>(OtherCallback(kEnds))) {
    other(parallel, task, flags, code);
  }
  EndRange(kConstructs);
}

void OnTarget(int kind, int endpoint, int device, Data* task, uint64_t target, const void* code) {
  const auto other = reinterpret_cast<Target>(OtherCallback(kTargets));
  if (endpoint == kBegin)
    BeginRange(kDevices, RegionForTarget(kind, code), OpenRanges(kConstructs) > 0);
  if (other != nullptr) other(kind, endpoint, device, task, target, code);
  if (endpoint == kEnd) EndRange(kDevices);
}

OwnCallback g_own[kOwnCallbacks] = {
    {kParallelBegin, reinterpret_cast<Function>(&OnParallelBegin)},
    {kParallelEnd, reinterpret_cast<Function>(&OnParallelEnd)},
    {kTarget, reinterpret_cast<Function>(&OnTarget)},
};

StartTool* g_behind;                 // the tool that would be there without adapters
std::atomic<bool> g_is_tool{false};  // of a runtime

int Initialise(Lookup lookup, int device, Data*) {
  return BeginTools(lookup, device, g_own, g_behind) ? 1 : 0;
}

void Finalise(Data*) {
  EndOtherTool();
  g_is_tool = false;
}

StartTool g_tool = {&Initialise, &Finalise, {0}};

}  // namespace

ROOFMARK_FOREIGN StartTool* ompt_start_tool(unsigned version, const char* runtime) {
  const auto next = reinterpret_cast<Start>(dlsym(RTLD_NEXT, "ompt_start_tool"));
  StartTool* other = next == nullptr ? nullptr : next(version, runtime);
  const bool wanted = (g_wanted & roofmark::AdapterBit("ompt")) != 0;
  // A second runtime of the process is the other tool's.
  if (!wanted || (other == nullptr && UserListsTools()) || g_is_tool.exchange(true)) return other;
  if (other == nullptr && roofmark_openmp_tool != nullptr) other = roofmark_openmp_tool();
  g_behind = other;
  return &g_tool;
}
