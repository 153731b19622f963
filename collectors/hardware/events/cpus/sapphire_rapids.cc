// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/events/cpus/intel.h"

namespace roofmark::events {

void intel::FillSapphireRapids(EventTable& table) {
  Maker to(table, "spr");
  AddSapphireRapidsCore(to);
  AddChannels(to, "0x05", "0xcf", "0xf0");
  AddHbm(to);
  to.RefuseL3();
}

namespace cpus {

const Cpu sapphire_rapids = {"spr", "Sapphire Rapids",
                             [](const CpuFacts& facts) { return intel::Is(facts, {143}); }, nullptr,
                             &intel::FillSapphireRapids};

}  // namespace cpus
}  // namespace roofmark::events
