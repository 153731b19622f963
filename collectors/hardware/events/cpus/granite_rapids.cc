// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/events/cpus/intel.h"

namespace roofmark::events::cpus {
namespace {

void FillGraniteRapids(EventTable& table) {
  intel::Maker to(table, "");
  AddSapphireRapidsCore(to);
  AddSubchannels(to);
  to.RefuseL3();
}

}  // namespace

const Cpu granite_rapids = {"gnr", "Granite Rapids",
                            [](const CpuFacts& facts) {
                              return intel::Is(facts, {173, 174});
                            },
                            nullptr, &FillGraniteRapids};

}  // namespace roofmark::events::cpus
