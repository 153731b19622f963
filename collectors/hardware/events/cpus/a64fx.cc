// SPDX-License-Identifier: BSD-3-Clause
//
// A64FX's own events as in Fujitsu's A64FX PMU Events.
#include "collectors/hardware/events/cpus/arm.h"

namespace roofmark::events::cpus {
namespace {

void FillA64fx(EventTable& to) {
  to.line_bytes = 256;
  arm::AddBasics(to);
  const auto flops = [&](FpPrecision precision, const std::string& fixed, const std::string& scale,
                         const std::string& prefix) {
    arm::AddScalableFlops(to, precision, "event=" + fixed, "event=" + scale, prefix,
                          Status::kMeasured, std::string(arm::kSpeculative));
  };
  flops(kDp, "0x80c7", "0x80c6", "FP_DP");
  flops(kSp, "0x80c5", "0x80c4", "FP_SP");
  flops(kHp, "0x80c3", "0x80c2", "FP_HP");
  arm::Add(to, One({Measure::kMemoryStallCycles}, Core("event=0x184", "LD_COMP_WAIT"), 1,
                   "cycles without commit in which the oldest operation waits for memory"));
  arm::AddCaches(to);
  // L2 is the last level. Refills include lines moved between L2s and prefetches that matched a
  // request already under way: neither comes from memory.
  const std::vector<Term> fills = {{Core("event=0x17", "L2D_CACHE_REFILL")},
                                   {Core("event=0x325", "L2D_SWAP_DM"), -1},
                                   {Core("event=0x326", "L2D_CACHE_MIBMCH_PRF"), -1}};
  arm::Add(to, {{Measure::kLastLevelMisses}, fills, Status::kMeasured, "lines of 256 bytes"});
  std::vector<Term> bytes = fills;
  for (Term& term : bytes) term.weight *= 256;
  arm::Add(to, {{Measure::kDramReadBytes},
                bytes,
                Status::kMeasured,
                "counted by each core; needs no privilege"});
  arm::Add(to, One({Measure::kDramWriteBytes}, Core("event=0x18", "L2D_CACHE_WB"), 256,
                   "counted by each core; needs no privilege"));
  arm::RefuseL3(to);
}

}  // namespace

const Cpu a64fx = {"a64fx", "Fujitsu A64FX",
                   [](const CpuFacts& facts) { return arm::Is(facts, 0x46, 0x001); }, nullptr,
                   &FillA64fx};

}  // namespace roofmark::events::cpus
