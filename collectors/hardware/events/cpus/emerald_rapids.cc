// SPDX-License-Identifier: BSD-3-Clause
//
// libpfm4 does not detect it; the events are those of Sapphire Rapids.
#include "collectors/hardware/events/cpus/intel.h"

namespace roofmark::events::cpus {

const Cpu emerald_rapids = {"emr", "Emerald Rapids",
                            [](const CpuFacts& facts) { return intel::Is(facts, {207}); }, nullptr,
                            &intel::FillSapphireRapids};

}  // namespace roofmark::events::cpus
