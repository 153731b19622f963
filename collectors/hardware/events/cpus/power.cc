// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/events/cpus/power.h"

#include <utility>

namespace roofmark::events::power {

void AddCore(EventTable& to) {
  to.line_bytes = 128;
  const auto add = [&](Formula formula) { to.formulas.push_back(std::move(formula)); };
  add(One({Measure::kCycles}, Core("event=0x1e", "PM_CYC")));
  add(One({Measure::kInstructions}, Core("event=0x02", "PM_INST_CMPL")));
  add({Flops(kMix),
       {{Core("event=0x4d054", "PM_8FLOP_CMPL"), 8},
        {Core("event=0x45052", "PM_4FLOP_CMPL"), 4},
        {Core("event=0x4d052", "PM_2FLOP_CMPL"), 2},
        {Core("event=0x45050", "PM_1FLOP_CMPL"), 1}},
       Status::kMixedPrecision,
       "all precisions together; the four events share one counter, so each is counted a quarter "
       "of the time"});
  to.exclusive = {{"PM_8FLOP_CMPL", "PM_4FLOP_CMPL", "PM_2FLOP_CMPL", "PM_1FLOP_CMPL"}};
  add(One({Measure::kLastLevelMisses}, Core("event=0x300fe", "PM_DATA_FROM_L3MISS"), 1,
          "demand loads only; lines of 128 bytes"));
  for (const Measure measure :
       {Measure::kL1ReadBytes, Measure::kL1WriteBytes, Measure::kL2ReadBytes,
        Measure::kL2WriteBytes, Measure::kL3ReadBytes})
    to.refusals.push_back({measure, "POWER's cache traffic events are not in roofmark's table"});
}

}  // namespace roofmark::events::power
