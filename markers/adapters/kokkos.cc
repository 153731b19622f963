// SPDX-License-Identifier: BSD-3-Clause
//
// Kokkos Tools: Kokkos loads the library that KOKKOS_TOOLS_LIBS names (before 3.7:
// KOKKOS_PROFILE_LIBRARY), and calls these functions. A kernel is a region of its label; labels of
// for, reduce and scan are not told apart. On a device kernels go on after they have begun: the
// time of their regions is that of the calls.
#include "markers/adapters/call.h"
#include "markers/adapters/kernels.h"
#include "markers/adapters/open_ranges.h"

namespace {

using namespace roofmark::adapters;

constexpr uint64_t kPushed = 0x4B4F4B4B;

// Kernels that the calling thread executes, one in another.
__thread uint32_t t_kernels __attribute__((tls_model("initial-exec"))) = 0;

bool IsWanted() { return (g_wanted & roofmark::AdapterBit("kokkos")) != 0; }

void Begin(const char* label, uint64_t* id) {
  const uint64_t number = BeginNumbered(IsWanted() ? RegionOf(label) : 0);
  if (id != nullptr) *id = number;
  t_kernels += IsWanted();
}

void End(uint64_t id) {
  if (t_kernels > 0) --t_kernels;
  EndNumbered(id);
}

// Kokkos_Tools_ToolSettings.
struct ToolSettings {
  bool requires_global_fencing;
  bool padding[255];
};

}  // namespace

bool roofmark::adapters::InKernel() noexcept { return t_kernels > 0; }

#define ROOFMARK_KERNEL(kind)                                                                 \
  ROOFMARK_FOREIGN void kokkosp_begin_parallel_##kind(const char* label, uint32_t /*device*/, \
                                                      uint64_t* id) {                         \
    Begin(label, id);                                                                         \
  }                                                                                           \
  ROOFMARK_FOREIGN void kokkosp_end_parallel_##kind(uint64_t id) { End(id); }
ROOFMARK_KERNEL(for)
ROOFMARK_KERNEL(reduce)
ROOFMARK_KERNEL(scan)

ROOFMARK_FOREIGN void kokkosp_push_profile_region(const char* name) {
  BeginRange(kPushed, IsWanted() ? name : nullptr);
}
ROOFMARK_FOREIGN void kokkosp_pop_profile_region() { EndRange(kPushed); }

// Else Kokkos would wait for its devices around every kernel.
ROOFMARK_FOREIGN void kokkosp_request_tool_settings(uint32_t /*number*/, ToolSettings* settings) {
  if (settings != nullptr) settings->requires_global_fencing = false;
}
