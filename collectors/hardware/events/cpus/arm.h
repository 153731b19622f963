// SPDX-License-Identifier: BSD-3-Clause
//
// What ARM server cores have in common: architectural events (Arm ARM, PMU chapter).
#ifndef ROOFMARK_COLLECTORS_HARDWARE_EVENTS_CPUS_ARM_H_
#define ROOFMARK_COLLECTORS_HARDWARE_EVENTS_CPUS_ARM_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "collectors/hardware/events/builders.h"
#include "collectors/hardware/events/cpus/cpus.h"

namespace roofmark::events::arm {

inline bool Is(const CpuFacts& facts, uint32_t implementer, uint32_t part) {
  return facts.implementer == implementer && facts.part == part;
}

inline constexpr std::string_view kSpeculative =
    "counted when issued, not when retired: the count is slightly too high";

inline void Add(EventTable& to, Formula formula) { to.formulas.push_back(std::move(formula)); }
inline void Refuse(EventTable& to, Measure measure, std::string reason) {
  to.refusals.push_back({measure, std::move(reason)});
}
inline void RefuseL3(EventTable& to) {
  Refuse(to, Measure::kL3ReadBytes, "not in roofmark's table for this core");
}

// FIXED counts operations of scalar and 128-bit code; SCALE those of SVE code per 128 bits of
// vector length, hence its weight.
void AddScalableFlops(EventTable& to, FpPrecision precision, std::string fixed, std::string scale,
                      const std::string& prefix, Status status, std::string note);
void AddBasics(EventTable& to);
// Lines of `to.line_bytes`.
void AddCaches(EventTable& to);

// Of Neoverse cores: FLOPs of all precisions together, or the reason why there are none; stalls;
// misses and caches; no memory controllers.
void AddNeoverseFlops(EventTable& to);
void RefuseNeoverseFlops(EventTable& to);
void AddNeoverseStalls(EventTable& to);
void AddNeoverseCaches(EventTable& to);
void RefuseNeoverseMemory(EventTable& to);

}  // namespace roofmark::events::arm

#endif  // ROOFMARK_COLLECTORS_HARDWARE_EVENTS_CPUS_ARM_H_
