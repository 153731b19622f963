// SPDX-License-Identifier: BSD-3-Clause
//
// What AMD's Zen cores, data fabrics and memory controllers have in common. Codes as in AMD's
// Processor Programming References and the kernel's lists for perf; FLOPs of Zen 2 to 4 mix
// precisions.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_EVENTS_CPUS_ZEN_H_
#define ROOFMARK_COLLECTORS_HARDWARE_EVENTS_CPUS_ZEN_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "collectors/hardware/events/builders.h"
#include "collectors/hardware/events/cpus/cpus.h"

namespace roofmark::events::zen {

// AMD's, or Hygon's of its licence.
bool Is(const CpuFacts& facts, uint32_t family);

struct Kind {
  KindSet kinds;
  uint32_t umask;
  std::string_view name;
};

// The event can grow by more than a counter's increment per cycle, so that the kernel joins two
// counters (it adds the second one, MERGE, itself: never program it).
inline constexpr std::string_view kMergedNote = "needs Linux 5.6 and two counters per event";

Event Flop(uint32_t umask, std::string name, std::string pfm_name = "");

// `pmu` is libpfm4's; empty if it has none.
void AddBasics(EventTable& to, std::string_view pmu);
// All precisions together, by kind.
void AddMixedKinds(EventTable& to, std::string_view pmu);
// Zen 2 to 4; `bfloat`: bfloat16 beside the others.
void AddZen2Flops(EventTable& to, std::string_view pmu, bool bfloat);
void AddStalls(EventTable& to, std::string pfm_name);
void RefuseStalls(EventTable& to);
// Lines that L1 got: Zen 1 and 2; and later, where `all` is the unit mask of all sources.
void AddOldFills(EventTable& to);
void AddFills(EventTable& to, std::string_view all);
// AMD's own sum for L2 misses, of which `prefetchers` is a unit mask, and what L3 got.
void AddOuterCaches(EventTable& to, std::string_view prefetchers = "0xff");
// One event per channel, all on the same device: `channels` of them are summed.
void AddDataFabric(EventTable& to, int channels, std::string note);
void AddMemoryControllers(EventTable& to);

}  // namespace roofmark::events::zen

#endif  // ROOFMARK_COLLECTORS_HARDWARE_EVENTS_CPUS_ZEN_H_
