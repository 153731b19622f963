// SPDX-License-Identifier: BSD-3-Clause
//
// Family 0x18 is Hygon's.
#include <fmt/format.h>

#include "collectors/hardware/events/cpus/zen.h"

namespace roofmark::events::cpus {
namespace {

// Precision and kind together: by kind is the finer view of the same operations.
void AddFlopsOfZen1(EventTable& to) {
  const auto pfm = [](std::string_view name) {
    return fmt::format("amd64_fam17h_zen1::RETIRED_SSE_AVX_OPERATIONS:{}", name);
  };
  const auto add = [&](FpPrecision precision, std::string_view prefix, uint32_t shift) {
    to.formulas.push_back(One(Flops(precision),
                              zen::Flop(0x0fu << shift, fmt::format("RetSseAvxOps.{}_ALL", prefix)),
                              1, std::string(zen::kMergedNote)));
    constexpr zen::Kind kOwn[] = {{kAddKind, 0x01, "ADD_SUB_FLOPS"},
                                  {kMulKind, 0x02, "MULT_FLOPS"},
                                  {kDivKinds, 0x04, "DIV_FLOPS"},
                                  {kFmaKind, 0x08, "MULT_ADD_FLOPS"}};
    for (const zen::Kind& kind : kOwn) {
      const std::string name = fmt::format("{}_{}", prefix, kind.name);
      to.formulas.push_back(
          One(FlopsOfKind(precision, kind.kinds),
              zen::Flop(kind.umask << shift, fmt::format("RetSseAvxOps.{}", name), pfm(name)), 1,
              std::string(zen::kMergedNote)));
    }
  };
  add(kDp, "DP", 4);
  add(kSp, "SP", 0);
}

void FillZen1(EventTable& to) {
  zen::AddBasics(to, "amd64_fam17h_zen1");
  AddFlopsOfZen1(to);
  zen::RefuseStalls(to);
  zen::AddDataFabric(to, 2, "reads and writes together, per die");
  zen::AddOldFills(to);
  zen::AddOuterCaches(to);
}

}  // namespace

const Cpu zen1 = {"zen1", "AMD Zen 1",
                  [](const CpuFacts& facts) {
                    return (zen::Is(facts, 0x17) && facts.model < 0x30) || zen::Is(facts, 0x18);
                  },
                  nullptr, &FillZen1};

}  // namespace roofmark::events::cpus
