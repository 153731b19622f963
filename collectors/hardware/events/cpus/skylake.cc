// SPDX-License-Identifier: BSD-3-Clause
//
// The desktop parts include Kaby, Coffee, Whiskey and Comet Lake.
#include "collectors/hardware/events/cpus/intel.h"

namespace roofmark::events::cpus {
namespace {

void FillSkylake(EventTable& table) {
  intel::Maker to(table, "skx", "skl", "skx_unc_imc");
  AddBasics(to, "LONGEST_LAT_CACHE:MISS");
  AddRetiredFlops(to, !table.cpu.client);
  AddSkylakeStalls(to);
  AddNewCaches(to, "event=0xf1,umask=0x1f", "event=0xf2,umask=0x02");
  AddOldMemory(to);
  to.RefuseL3();
}

}  // namespace

const Cpu skylake = {
    "skx", "Skylake-SP",
    [](const CpuFacts& facts) { return intel::Is(facts, {85}) && facts.stepping < 5; },
    [](const CpuFacts& facts) {
      return intel::Is(facts, {78, 94, 142, 158, 165, 166});
    },
    &FillSkylake};

}  // namespace roofmark::events::cpus
