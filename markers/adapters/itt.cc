// SPDX-License-Identifier: BSD-3-Clause
//
// ITT: every library and program that has its static part loads the collector that
// INTEL_LIBITTNOTIFY64 names, which says what each function does. Tasks are regions of their name,
// frames of the name of their domain.
#include <cstring>

#include "markers/adapters/call.h"
#include "markers/adapters/itt_abi.h"
#include "markers/adapters/open_ranges.h"

namespace {

using namespace roofmark::adapters;
using namespace roofmark::adapters::itt;

// OpenMP runtimes have a domain for each parallel region, which they name after its place, and
// further ones of their own. They are no annotations of the program.
bool IsOpenMp(const char* name) {
  return std::strstr(name, "$omp$") != nullptr || std::strncmp(name, "OMP ", 4) == 0;
}

// The number of the region is kept where the collector may keep one. -1: it is none.
template <typename Named>
uint32_t RegionFor(Named* named, const char* name) {
  if (named == nullptr || name == nullptr) return 0;
  int kept = __atomic_load_n(&named->reserved_number, __ATOMIC_RELAXED);
  if (kept == 0) {
    kept = IsOpenMp(name) ? -1 : static_cast<int>(RegionOf(name));
    __atomic_store_n(&named->reserved_number, kept, __ATOMIC_RELAXED);
  }
  return kept < 0 ? 0 : static_cast<uint32_t>(kept);
}

// Tasks and frames of a domain nest apart from each other.
uint64_t TasksOf(const Domain* domain) { return reinterpret_cast<uint64_t>(domain); }
uint64_t FramesOf(const Domain* domain) { return reinterpret_cast<uint64_t>(domain) + 1; }

void TaskBegin(const Domain* domain, Id, Id, StringHandle* name) {
  BeginRange(TasksOf(domain), name == nullptr ? 0 : RegionFor(name, name->text));
}
void TaskEnd(const Domain* domain) { EndRange(TasksOf(domain)); }

void FrameBegin(Domain* domain, const Id*) {
  BeginRange(FramesOf(domain), domain == nullptr ? 0 : RegionFor(domain, domain->name));
}
void FrameEnd(const Domain* domain, const Id*) { EndRange(FramesOf(domain)); }

struct Served {
  const char* name;
  void* function;
};
const Served kServed[] = {
    {"__itt_task_begin", reinterpret_cast<void*>(&TaskBegin)},
    {"__itt_task_end", reinterpret_cast<void*>(&TaskEnd)},
    {"__itt_frame_begin_v3", reinterpret_cast<void*>(&FrameBegin)},
    {"__itt_frame_end_v3", reinterpret_cast<void*>(&FrameEnd)},
};

void* FunctionFor(const Api& api, bool wanted) {
  for (const Served& served : kServed) {
    if (wanted && std::strcmp(api.name, served.name) == 0) return served.function;
  }
  return api.without_collector;
}

}  // namespace

ROOFMARK_FOREIGN void __itt_api_init(Global* global, int) {
  if (global == nullptr || global->build < kLeastBuild || global->apis == nullptr) return;
  const bool wanted = (g_wanted & roofmark::AdapterBit("itt")) != 0;
  for (const Api* api = global->apis; api->name != nullptr; ++api) {
    *api->pointer = FunctionFor(*api, wanted);
  }
}
