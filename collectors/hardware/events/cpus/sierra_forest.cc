// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/events/cpus/intel.h"

namespace roofmark::events::cpus {
namespace {

void FillSierraForest(EventTable& table) {
  intel::Maker to(table, "");
  AddBasics(to, "");
  // Operations, not instructions. Its 0xc7 has scalar double and single the other way round than
  // every other Intel core, so it is left alone.
  to.Add(One(Flops(kDp), Core("event=0xc8,umask=0x01", "FP_FLOPS_RETIRED.FP64")));
  to.Add(One(Flops(kSp), Core("event=0xc8,umask=0x02", "FP_FLOPS_RETIRED.FP32")));
  AddStalls(to, "event=0x34,umask=0x7f", "MEM_BOUND_STALLS_LOAD.ALL", "");
  for (const Measure measure : {Measure::kL1ReadBytes, Measure::kL1WriteBytes,
                                Measure::kL2ReadBytes, Measure::kL2WriteBytes})
    to.Refuse(measure, "Sierra Forest's cache traffic events are not in roofmark's table");
  AddSubchannels(to);
  to.RefuseL3();
}

}  // namespace

const Cpu sierra_forest = {"srf", "Sierra Forest",
                           [](const CpuFacts& facts) { return intel::Is(facts, {175}); }, nullptr,
                           &FillSierraForest};

}  // namespace roofmark::events::cpus
