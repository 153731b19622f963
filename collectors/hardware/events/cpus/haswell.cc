// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/events/cpus/intel.h"

namespace roofmark::events::cpus {
namespace {

void FillHaswell(EventTable& table) {
  intel::Maker to(table, "hsw_ep", "hsw", "hswep_unc_imc");
  AddBasics(to, "LONGEST_LAT_CACHE:MISS");
  to.Refuse(Measure::kFlops,
            "Haswell has no floating-point events: count FLOPs with ROOFMARK_COLLECTOR=counting, "
            "or declare them with ROOF_REGION_WORK");
  AddStalls(to, "event=0xa3,umask=0x06,cmask=0x06", "CYCLE_ACTIVITY.STALLS_LDM_PENDING",
            "CYCLE_ACTIVITY:STALLS_LDM_PENDING");
  AddOldCaches(to);
  AddOldMemory(to);
  to.RefuseL3();
}

}  // namespace

const Cpu haswell = {"hsw", "Haswell-EP",
                     [](const CpuFacts& facts) { return intel::Is(facts, {63}); },
                     [](const CpuFacts& facts) {
                       return intel::Is(facts, {60, 69, 70});
                     },
                     &FillHaswell};

}  // namespace roofmark::events::cpus
