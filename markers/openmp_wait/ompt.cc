// SPDX-License-Identifier: BSD-3-Clause
//
// LLVM's and Intel's runtimes, which tell a tool what happens. The runtime asks for ompt_start_tool
// when it starts. Another tool that is there goes first; the library of adapters calls this one
// from its own.
#include <dlfcn.h>

#include <cstdint>

#include "lib/core/follow_layer.h"
#include "lib/core/ompt_abi.h"
#include "markers/openmp_wait/team.h"

namespace {

using namespace roofmark::ompt;
using namespace roofmark::openmp_wait;
using roofmark::FollowInto;
using roofmark::kLayersNotFollowed;
using roofmark::Layer;

// What an explicit task's data holds: that it is one, and what it has interrupted.
uint64_t Encode(Interrupted before) {
  static_assert(kLayersNotFollowed + 1 == 0);
  return uint64_t{before.waits} << 4 | uint64_t{(before.layer + 1) & 3} << 2 |
         uint64_t{before.in_body} << 1 | 1;
}
Interrupted Decode(uint64_t value) {
  return {static_cast<uint32_t>(value >> 4), (value & 2) != 0,
          static_cast<uint32_t>(value >> 2 & 3) - 1};
}
bool IsExplicit(const Data* task) { return task != nullptr && (task->value & 1) != 0; }

void OnParallelBegin(Data*, const void*, Data* parallel, unsigned, int, const void*) {
  Team* team = TakeOver();
  parallel->ptr = team != nullptr ? team : BeginTeam();
  FollowIntoRuntime();
}

void OnParallelEnd(Data* parallel, Data*, int, const void*) {
  if (parallel->ptr != nullptr) EndTeam(static_cast<Team*>(parallel->ptr));
  FollowInto(Layer::kWork);
}

// The workers' end comes when they begin to work for the next team, which is too late for theirs.
void OnImplicitTask(int endpoint, Data* parallel, Data*, unsigned, unsigned, int flags) {
  if ((flags & kInitialTask) != 0) return;
  FollowInto(endpoint == kBegin ? Layer::kWork : Layer::kRuntime);
  if (endpoint == kBegin) {
    if (parallel != nullptr && parallel->ptr != nullptr)
      BeginBody(static_cast<Team*>(parallel->ptr));
  } else if (parallel == nullptr) {
    LeaveBody();
  } else if (parallel->ptr != nullptr) {
    EndBody();
  }
}

void OnWait(int, int endpoint, Data* parallel, Data*, const void*) {
  FollowInto(endpoint == kEnd && parallel != nullptr ? Layer::kWork : Layer::kRuntime);
  if (endpoint == kBegin) {
    BeginWait();
    TellTeam();
  } else if (parallel == nullptr) {
    LeaveBody();
  } else {
    EndWait();
  }
}

void OnMutexAcquire(int kind, unsigned, unsigned, uint64_t, const void*) {
  if (kind < kFirstMutexOfConstructs) return;
  FollowInto(Layer::kRuntime);
  BeginWait();
}

void OnMutexAcquired(int kind, uint64_t, const void*) {
  if (kind < kFirstMutexOfConstructs) return;
  EndWait();
  FollowInto(Layer::kWork);
}

void OnTaskCreate(Data*, const void*, Data* task, int flags, int, const void*) {
  if ((flags & kExplicitTask) != 0) task->value = 1;
}

void OnTaskSchedule(Data* prior, int status, Data* next) {
  if (IsExplicit(prior) && status != kYield && status != kSwitch) EndTask(Decode(prior->value));
  if (IsExplicit(next) && (status == kYield || status == kSwitch))
    next->value = Encode(BeginTask());
}

int Initialise(Lookup lookup, int, Data*) {
  const auto set = reinterpret_cast<SetCallback>(lookup("ompt_set_callback"));
  if (set == nullptr) return 0;
  set(kParallelBegin, reinterpret_cast<Function>(&OnParallelBegin));
  set(kParallelEnd, reinterpret_cast<Function>(&OnParallelEnd));
  set(kImplicitTask, reinterpret_cast<Function>(&OnImplicitTask));
  set(kSyncRegionWait, reinterpret_cast<Function>(&OnWait));
  set(kMutexAcquire, reinterpret_cast<Function>(&OnMutexAcquire));
  set(kMutexAcquired, reinterpret_cast<Function>(&OnMutexAcquired));
  set(kTaskCreate, reinterpret_cast<Function>(&OnTaskCreate));
  set(kTaskSchedule, reinterpret_cast<Function>(&OnTaskSchedule));
  return 1;
}

void Finalise(Data*) {}

StartTool g_tool = {&Initialise, &Finalise, {0}};

}  // namespace

#define ROOFMARK_EXPORTED extern "C" __attribute__((visibility("default")))

// nullptr: nobody wants to know, or the user has chosen a tool that the runtime is to load.
ROOFMARK_EXPORTED StartTool* roofmark_openmp_tool(void) {
  return !IsWanted() || UserListsTools() ? nullptr : &g_tool;
}

ROOFMARK_EXPORTED StartTool* ompt_start_tool(unsigned version, const char* runtime) {
  if (const auto other = reinterpret_cast<Start>(dlsym(RTLD_NEXT, "ompt_start_tool"))) {
    if (StartTool* tool = other(version, runtime)) return tool;
  }
  return roofmark_openmp_tool();
}
