// SPDX-License-Identifier: BSD-3-Clause
//
// libpfm4 does not detect it; the events are those of Sapphire Rapids.
#include "collectors/hardware/events/cpus/intel.h"

namespace roofmark::events::cpus {
namespace {

void Fill(EventTable& table) {
  intel::Maker to(table, "spr");
  AddSapphireRapidsCore(to);
  AddChannels(to, "0x05", "0xcf", "0xf0");
  AddHbm(to);
  to.RefuseL3();
}

}  // namespace

const Cpu emerald_rapids = {"emr", "Emerald Rapids",
                            [](const CpuFacts& facts) { return intel::Is(facts, {207}); }, nullptr,
                            &Fill};

}  // namespace roofmark::events::cpus
