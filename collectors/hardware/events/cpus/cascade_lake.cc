// SPDX-License-Identifier: BSD-3-Clause
//
// Steppings tell it from Skylake-SP; Cooper Lake (10, 11) counts alike. libpfm4 knows its memory
// controllers under Skylake's name.
#include "collectors/hardware/events/cpus/intel.h"

namespace roofmark::events::cpus {
namespace {

void FillCascadeLake(EventTable& table) {
  intel::Maker to(table, "clx", "", "skx_unc_imc");
  AddBasics(to, "LONGEST_LAT_CACHE:MISS");
  AddRetiredFlops(to, true);
  AddSkylakeStalls(to);
  AddNewCaches(to, "event=0xf1,umask=0x1f", "event=0xf2,umask=0x02");
  AddOldMemory(to);
  to.RefuseL3();
}

}  // namespace

const Cpu cascade_lake = {
    "clx", "Cascade Lake",
    [](const CpuFacts& facts) { return intel::Is(facts, {85}) && facts.stepping >= 5; }, nullptr,
    &FillCascadeLake};

}  // namespace roofmark::events::cpus
