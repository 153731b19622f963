// SPDX-License-Identifier: BSD-3-Clause
//
// Model 108 is Xeon D; the desktop parts include Tiger Lake (140, 141) and Rocket Lake (167).
#include "collectors/hardware/events/cpus/intel.h"

namespace roofmark::events::cpus {
namespace {

void FillIceLake(EventTable& table) {
  intel::Maker to(table, "icx", "icl");
  AddBasics(to, "LONGEST_LAT_CACHE:MISS");
  AddRetiredFlops(to, true);
  AddSkylakeStalls(to);
  AddNewCaches(to, "event=0xf1,umask=0x1f", "event=0xf2,umask=0x02");
  if (table.cpu.client) {
    to.Refuse(Measure::kDramBytes,
              "the memory controllers of this desktop or laptop CPU are not in roofmark's table");
  } else {
    AddChannels(to, "0x04", "0x0f", "0x30");
  }
  to.RefuseL3();
}

}  // namespace

const Cpu ice_lake = {"icx", "Ice Lake-SP",
                      [](const CpuFacts& facts) {
                        return intel::Is(facts, {106, 108});
                      },
                      [](const CpuFacts& facts) {
                        return intel::Is(facts, {125, 126, 140, 141, 167});
                      },
                      &FillIceLake};

}  // namespace roofmark::events::cpus
