// SPDX-License-Identifier: BSD-3-Clause
//
// Part 0x516 is the same core under its first owner's number.
#include "collectors/hardware/events/cpus/arm.h"

namespace roofmark::events::cpus {
namespace {

// Scalar instructions count one each; of vector instructions only the number is known.
void FillThunderx2(EventTable& to) {
  arm::AddBasics(to);
  const auto flops = [&](FpPrecision precision, FpView view, double lanes,
                         const std::string& assumption) {
    arm::Add(to, {{Measure::kFlops, precision, FpWidth::kAny, kAnyKind, view},
                  {{Core("event=0x75", "VFP_SPEC")}, {Core("event=0x74", "ASE_SPEC"), lanes}},
                  Status::kMixedPrecision,
                  "assumes that every vector consists of " + assumption +
                      "; includes integer vector instructions; a fused multiply-add counts once"});
  };
  flops(kDp, FpView::kIfDouble, 2, "doubles");
  flops(kSp, FpView::kIfSingle, 4, "singles");
  arm::Refuse(to, Measure::kMemoryStallCycles,
              "ThunderX2 counts stalls, but not which of them wait for memory");
  arm::Refuse(to, Measure::kLastLevelMisses, "ThunderX2's cores do not count misses of the L3");
  arm::AddCaches(to);
  arm::Add(to, One({Measure::kDramReadBytes},
                   On("uncore_dmc_#", "event=0x0f", "MEMORY_READS", "read_txns"), 64));
  arm::Add(to, One({Measure::kDramWriteBytes},
                   On("uncore_dmc_#", "event=0x0b", "MEMORY_WRITES", "write_txns"), 64));
  arm::RefuseL3(to);
}

}  // namespace

const Cpu thunderx2 = {"tx2", "Marvell ThunderX2",
                       [](const CpuFacts& facts) {
                         return arm::Is(facts, 0x43, 0x0af) || arm::Is(facts, 0x42, 0x516);
                       },
                       nullptr, &FillThunderx2};

}  // namespace roofmark::events::cpus
