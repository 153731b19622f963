// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/events/generic.h"

#include <linux/perf_event.h>
#include <strings.h>

#include <algorithm>

namespace roofmark::events {
namespace {

constexpr uint32_t kSoftware = PERF_TYPE_SOFTWARE, kHardware = PERF_TYPE_HARDWARE;

constexpr GenericEvent kEvents[] = {
    {"task-clock", kSoftware, PERF_COUNT_SW_TASK_CLOCK, "ns"},
    {"cpu-clock", kSoftware, PERF_COUNT_SW_CPU_CLOCK, "ns"},
    {"page-faults", kSoftware, PERF_COUNT_SW_PAGE_FAULTS, "count"},
    {"faults", kSoftware, PERF_COUNT_SW_PAGE_FAULTS, "count"},
    {"minor-faults", kSoftware, PERF_COUNT_SW_PAGE_FAULTS_MIN, "count"},
    {"major-faults", kSoftware, PERF_COUNT_SW_PAGE_FAULTS_MAJ, "count"},
    {"context-switches", kSoftware, PERF_COUNT_SW_CONTEXT_SWITCHES, "count"},
    {"cs", kSoftware, PERF_COUNT_SW_CONTEXT_SWITCHES, "count"},
    {"cpu-migrations", kSoftware, PERF_COUNT_SW_CPU_MIGRATIONS, "count"},
    {"migrations", kSoftware, PERF_COUNT_SW_CPU_MIGRATIONS, "count"},
    {"alignment-faults", kSoftware, PERF_COUNT_SW_ALIGNMENT_FAULTS, "count"},
    {"emulation-faults", kSoftware, PERF_COUNT_SW_EMULATION_FAULTS, "count"},
    {"cycles", kHardware, PERF_COUNT_HW_CPU_CYCLES, "count"},
    {"cpu-cycles", kHardware, PERF_COUNT_HW_CPU_CYCLES, "count"},
    {"instructions", kHardware, PERF_COUNT_HW_INSTRUCTIONS, "count"},
    {"cache-references", kHardware, PERF_COUNT_HW_CACHE_REFERENCES, "count"},
    {"cache-misses", kHardware, PERF_COUNT_HW_CACHE_MISSES, "count"},
    {"branches", kHardware, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, "count"},
    {"branch-instructions", kHardware, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, "count"},
    {"branch-misses", kHardware, PERF_COUNT_HW_BRANCH_MISSES, "count"},
    {"bus-cycles", kHardware, PERF_COUNT_HW_BUS_CYCLES, "count"},
    {"stalled-cycles-frontend", kHardware, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, "count"},
    {"stalled-cycles-backend", kHardware, PERF_COUNT_HW_STALLED_CYCLES_BACKEND, "count"},
    {"ref-cycles", kHardware, PERF_COUNT_HW_REF_CPU_CYCLES, "count"},
};

}  // namespace

std::span<const GenericEvent> GenericEvents() { return kEvents; }

const GenericEvent* FindGeneric(std::string_view name) {
  const auto* const found =
      std::find_if(std::begin(kEvents), std::end(kEvents), [&](const GenericEvent& event) {
        return event.name.size() == name.size() &&
               strncasecmp(event.name.data(), name.data(), name.size()) == 0;
      });
  return found == std::end(kEvents) ? nullptr : found;
}

bool HappensInKernel(uint32_t type, uint64_t config) {
  return type == kSoftware &&
         (config == PERF_COUNT_SW_CONTEXT_SWITCHES || config == PERF_COUNT_SW_CPU_MIGRATIONS);
}

}  // namespace roofmark::events
