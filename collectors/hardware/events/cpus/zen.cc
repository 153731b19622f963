// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/events/cpus/zen.h"

#include <fmt/format.h>

#include <utility>

namespace roofmark::events::zen {
namespace {

// PMCx003, from Zen 2 on. A multiply-accumulate counts as two; division and root share a bit.
constexpr Kind kKinds[] = {{kAddKind, 0x01, "ADD_SUB_FLOPS"},
                           {kMulKind, 0x02, "MULT_FLOPS"},
                           {kDivKinds, 0x04, "DIV_FLOPS"},
                           {kFmaKind, 0x08, "MAC_FLOPS"}};

void AddMixed(EventTable& to, Quantity quantity, Event event) {
  to.formulas.push_back({quantity,
                         {{std::move(event)}},
                         Status::kMixedPrecision,
                         fmt::format("all precisions together; {}", kMergedNote)});
}

// Zen 1 and 2 count fills of L1 in three events, by who asked for them.
Formula ThreeFills(Measure measure, uint32_t sources, double weight, std::string note) {
  Formula sum{{measure}, {}, Status::kMeasured, std::move(note)};
  constexpr std::pair<uint32_t, std::string_view> kEvents[] = {
      {0x43, "LsRefillsFromSys"}, {0x59, "LsSwPfDcFills"}, {0x5a, "LsHwPfDcFills"}};
  for (const auto& [event, name] : kEvents)
    sum.terms.push_back(
        {Core(fmt::format("event=0x{:02x},umask=0x{:02x}", event, sources), std::string(name)),
         weight});
  return sum;
}

constexpr std::string_view kFillNote =
    "lines that L1 got from memory, without lines that the L2 prefetcher fetches, and without "
    "write-backs";

}  // namespace

bool Is(const CpuFacts& facts, uint32_t family) {
  return (facts.vendor == "AuthenticAMD" || facts.vendor == "HygonGenuine") &&
         facts.family == family;
}

void RefuseStalls(EventTable& to) {
  to.refusals.push_back({Measure::kMemoryStallCycles,
                         "this generation of Zen has no event for cycles that wait for memory"});
}

Event Flop(uint32_t umask, std::string name, std::string pfm_name) {
  Event event =
      Core(fmt::format("event=0x03,umask=0x{:02x}", umask), std::move(name), std::move(pfm_name));
  event.counters = 2;
  return event;
}

void AddMixedKinds(EventTable& to, std::string_view pmu) {
  for (const Kind& kind : kKinds) {
    AddMixed(to, FlopsOfKind(kMix, kind.kinds),
             Flop(kind.umask, fmt::format("RetSseAvxFlops.{}", kind.name),
                  pmu.empty() ? "" : fmt::format("{}::RETIRED_SSE_AVX_FLOPS:{}", pmu, kind.name)));
  }
}

void AddZen2Flops(EventTable& to, std::string_view pmu, bool bfloat) {
  AddMixed(to, Flops(kMix),
           Flop(bfloat ? 0x1f : 0x0f, "RetSseAvxFlops.ANY",
                fmt::format("{}::RETIRED_SSE_AVX_FLOPS:ANY", pmu)));
  AddMixedKinds(to, pmu);
  if (bfloat) {
    Quantity quantity = FlopsOfKind(kBf16, kFmaKind);
    to.formulas.push_back(One(quantity,
                              Flop(0x10, "RetSseAvxFlops.BFLOAT_MAC_FLOPS",
                                   fmt::format("{}::RETIRED_SSE_AVX_FLOPS:BFLOAT_MAC_FLOPS", pmu)),
                              1, std::string(kMergedNote)));
  }
}

void AddBasics(EventTable& to, std::string_view pmu) {
  const auto pfm = [&](std::string_view name) {
    return pmu.empty() ? std::string() : fmt::format("{}::{}", pmu, name);
  };
  to.formulas.push_back(
      One({Measure::kCycles}, Core("event=0x76", "LsNotHaltedCyc", pfm("CYCLES_NOT_IN_HALT"))));
  to.formulas.push_back(
      One({Measure::kInstructions}, Core("event=0xc0", "ExRetInstr", pfm("RETIRED_INSTRUCTIONS"))));
}

void AddDataFabric(EventTable& to, int channels, std::string note) {
  Formula sum{{Measure::kDramBytes}, {}, Status::kMeasured, std::move(note)};
  for (int channel = 0; channel < channels; ++channel)
    sum.terms.push_back({On("amd_df", fmt::format("event=0x{:x},umask=0x38", 0x07 + 0x40 * channel),
                            fmt::format("DRAM_CHANNEL_DATA_CONTROLLER_{}", channel)),
                         64});
  to.formulas.push_back(std::move(sum));
}

void AddMemoryControllers(EventTable& to) {
  const std::string note = "needs Linux 6.10 (amd_umc)";
  to.formulas.push_back(One({Measure::kDramReadBytes},
                            On("amd_umc_#", "event=0x0a,rdwrmask=0x1", "UMC_CAS_CMD.RD"), 64,
                            note));
  to.formulas.push_back(One({Measure::kDramWriteBytes},
                            On("amd_umc_#", "event=0x0a,rdwrmask=0x2", "UMC_CAS_CMD.WR"), 64,
                            note));
}

void AddStalls(EventTable& to, std::string pfm_name) {
  to.formulas.push_back(
      One({Measure::kMemoryStallCycles},
          Core("event=0xd6,umask=0xa2", "ExNoRetire.LOAD_NOT_COMPLETE", std::move(pfm_name)), 1,
          "cycles without retirement in which the oldest operation waits for a load"));
}

void AddOldFills(EventTable& to) {
  to.formulas.push_back(ThreeFills(Measure::kLastLevelMisses, 0x48, 1, std::string(kFillNote)));
  to.formulas.push_back(ThreeFills(Measure::kL1ReadBytes, 0x5b, 64, ""));
}

void AddFills(EventTable& to, std::string_view all) {
  to.formulas.push_back(One({Measure::kLastLevelMisses},
                            Core("event=0x44,umask=0x48", "LsAnyFillsFromSys.DRAM_IO"), 1,
                            std::string(kFillNote)));
  to.formulas.push_back(One({Measure::kL1ReadBytes},
                            Core(fmt::format("event=0x44,umask={}", all), "LsAnyFillsFromSys.ALL"),
                            64));
}

void AddOuterCaches(EventTable& to, std::string_view prefetchers) {
  to.formulas.push_back(
      {{Measure::kL2ReadBytes},
       {{Core("event=0x64,umask=0x09", "L2CacheReqStat.IC_DC_MISS_IN_L2"), 64},
        {Core(fmt::format("event=0x71,umask={}", prefetchers), "L2PfMissL2HitL3"), 64},
        {Core(fmt::format("event=0x72,umask={}", prefetchers), "L2PfMissL2L3"), 64}},
       Status::kMeasured,
       "includes lines of instructions"});
  to.formulas.push_back(One(
      {Measure::kL3ReadBytes}, On("amd_l3", "event=0x04,umask=0x01", "L3LookupState.L3_MISS"), 64,
      "per L3, for all of its cores; includes requests that only change the state of a line"));
  for (const Measure measure : {Measure::kL1WriteBytes, Measure::kL2WriteBytes})
    to.refusals.push_back({measure, "Zen has no documented event for lines written back"});
}

}  // namespace roofmark::events::zen
