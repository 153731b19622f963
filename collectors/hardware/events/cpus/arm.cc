// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/events/cpus/arm.h"

namespace roofmark::events::arm {

void AddScalableFlops(EventTable& to, FpPrecision precision, std::string fixed, std::string scale,
                      const std::string& prefix, Status status, std::string note) {
  Add(to, {Flops(precision),
           {{Core(std::move(fixed), prefix + "_FIXED_OPS_SPEC")},
            {Core(std::move(scale), prefix + "_SCALE_OPS_SPEC"), 1, true}},
           status,
           std::move(note)});
}

void AddBasics(EventTable& to) {
  Add(to, One({Measure::kCycles}, Core("event=0x11", "CPU_CYCLES")));
  Add(to, One({Measure::kInstructions}, Core("event=0x08", "INST_RETIRED")));
}

void AddCaches(EventTable& to) {
  const double line = to.line_bytes;
  Add(to, One({Measure::kL1ReadBytes}, Core("event=0x03", "L1D_CACHE_REFILL"), line));
  Add(to, One({Measure::kL1WriteBytes}, Core("event=0x15", "L1D_CACHE_WB"), line));
  Add(to, One({Measure::kL2ReadBytes}, Core("event=0x17", "L2D_CACHE_REFILL"), line));
  Add(to, One({Measure::kL2WriteBytes}, Core("event=0x18", "L2D_CACHE_WB"), line));
}

void AddNeoverseFlops(EventTable& to) {
  AddScalableFlops(to, kMix, "event=0x80c1", "event=0x80c0", "FP", Status::kMixedPrecision,
                   "all precisions together; " + std::string(kSpeculative));
}

void RefuseNeoverseFlops(EventTable& to) {
  Refuse(to, Measure::kFlops,
         "this core counts floating-point instructions (VFP_SPEC) but no operations: count FLOPs "
         "with ROOFMARK_COLLECTOR=counting on x86, or declare them with ROOF_REGION_WORK");
}

void AddNeoverseStalls(EventTable& to) {
  Add(to, One({Measure::kMemoryStallCycles}, Core("event=0x4005", "STALL_BACKEND_MEM")));
}

void AddNeoverseCaches(EventTable& to) {
  Add(to, One({Measure::kLastLevelMisses}, Core("event=0x37", "LL_CACHE_MISS_RD"), 1,
              "reads only; the system determines which cache is the last one"));
  AddCaches(to);
}

void RefuseNeoverseMemory(EventTable& to) {
  Refuse(to, Measure::kDramBytes,
         "this core's system has no memory-controller events in roofmark's table; MEM_ACCESS "
         "counts what the core issues, which is not DRAM traffic");
}

}  // namespace roofmark::events::arm
