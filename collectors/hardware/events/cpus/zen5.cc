// SPDX-License-Identifier: BSD-3-Clause
//
// Models from 0x50 to 0x5f and from 0x80 on are the generation after it.
#include <fmt/format.h>

#include "collectors/hardware/events/cpus/zen.h"

namespace roofmark::events::cpus {
namespace {

// Upper half of the unit mask: 8 and A are double (scalar, packed), 4 and 6 single, 2 bfloat16, 0
// any; lower half: the kinds.
void AddFlopsOfZen5(EventTable& to) {
  const auto add = [&](FpPrecision precision, FpWidth width, uint32_t umask,
                       std::string_view name) {
    to.formulas.push_back(One(Flops(precision, width),
                              zen::Flop(umask, fmt::format("RetSseAvxFlops.{}", name)), 1,
                              std::string(zen::kMergedNote)));
  };
  add(kDp, FpWidth::kScalar, 0x8f, "SCALAR_DOUBLE_ALL");
  add(kDp, FpWidth::kVector, 0xaf, "PACKED_DOUBLE_ALL");
  add(kSp, FpWidth::kScalar, 0x4f, "SCALAR_SINGLE_ALL");
  add(kSp, FpWidth::kVector, 0x6f, "PACKED_SINGLE_ALL");
  add(kBf16, FpWidth::kAny, 0x2f, "BFLOAT16_ALL");
  zen::AddMixedKinds(to, "");
}

void FillZen5(EventTable& to) {
  zen::AddBasics(to, "");
  AddFlopsOfZen5(to);
  zen::AddStalls(to, "");
  zen::AddMemoryControllers(to);
  zen::AddFills(to, "0xdf");
  // L1's prefetches are in the first term of the sum already.
  zen::AddOuterCaches(to, "0x1f");
}

}  // namespace

const Cpu zen5 = {"zen5", "AMD Zen 5",
                  [](const CpuFacts& facts) {
                    return zen::Is(facts, 0x1a) &&
                           (facts.model < 0x50 || (facts.model >= 0x60 && facts.model < 0x80));
                  },
                  nullptr, &FillZen5};

}  // namespace roofmark::events::cpus
