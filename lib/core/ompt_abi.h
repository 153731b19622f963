// SPDX-License-Identifier: BSD-3-Clause
//
// OMPT, by which LLVM's and Intel's runtimes tell a tool what happens (OpenMP 5.0, section 4): its
// types and numbers as far as they are used here.
#ifndef ROOFMARK_LIB_CORE_OMPT_ABI_H_
#define ROOFMARK_LIB_CORE_OMPT_ABI_H_

#include <cstdint>
#include <cstdlib>

namespace roofmark::ompt {

union Data {
  uint64_t value;
  void* ptr;
};

using Function = void (*)();
// The runtime's functions by their names: "ompt_set_callback" and others.
using Lookup = Function (*)(const char* name);
// For an event; what is returned says whether it will be told.
using SetCallback = int (*)(int event, Function callback);
// 1 if there is one.
using GetCallback = int (*)(int event, Function* callback);

// What ompt_start_tool returns, whose address is that of the tool for the runtime.
struct StartTool {
  int (*initialize)(Lookup lookup, int device, Data* tool);  // 0: the tool wants nothing
  void (*finalize)(Data* tool);
  Data tool;
};
using Start = StartTool* (*)(unsigned version, const char* runtime);

enum Event {
  kParallelBegin = 3,
  kParallelEnd = 4,
  kTaskCreate = 5,
  kTaskSchedule = 6,
  kImplicitTask = 7,
  kTarget = 8,
  kSyncRegionWait = 16,
  kMutexAcquire = 26,
  kMutexAcquired = 27
};
inline constexpr int kEventsEnd = 64;  // no event has this number or a larger one

using ParallelBegin = void (*)(Data* task, const void* frame, Data* parallel, unsigned threads,
                               int flags, const void* code);
using ParallelEnd = void (*)(Data* parallel, Data* task, int flags, const void* code);

using Target = void (*)(int kind, int endpoint, int device, Data* task, uint64_t target,
                        const void* code);

enum Endpoint { kBegin = 1, kEnd = 2 };
// Of constructs for devices; with this bit: not waited for.
enum TargetKind { kOfTarget = 1, kEnterData = 2, kExitData = 3, kUpdate = 4, kNoWait = 8 };
enum ParallelFlag { kLeague = 0x40000000 };
enum TaskFlag { kInitialTask = 1, kExplicitTask = 4 };
enum TaskStatus { kYield = 2, kSwitch = 7 };
inline constexpr int kFirstMutexOfConstructs = 5;  // critical, atomic, ordered; before them, locks

// A list of the user's is the runtime's to load, which it does if nobody has a tool.
inline bool UserListsTools() {
  const char* listed = std::getenv("OMP_TOOL_LIBRARIES");
  return listed != nullptr && *listed != '\0';
}

}  // namespace roofmark::ompt

#endif  // ROOFMARK_LIB_CORE_OMPT_ABI_H_
