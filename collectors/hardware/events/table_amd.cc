// SPDX-License-Identifier: BSD-3-Clause
//
// Events of AMD's Zen cores, data fabrics and memory controllers. Codes as in AMD's Processor
// Programming References and the kernel's lists for perf; FLOPs of Zen 2 to 4 mix precisions.
#include <fmt/format.h>

#include "collectors/hardware/events/builders.h"

namespace roofmark::events {
namespace {

struct Kind {
  KindSet kinds;
  uint32_t umask;
  std::string_view name;
};
// PMCx003, from Zen 2 on. A multiply-accumulate counts as two; division and root share a bit.
constexpr Kind kKinds[] = {{kAddKind, 0x01, "ADD_SUB_FLOPS"},
                           {kMulKind, 0x02, "MULT_FLOPS"},
                           {kDivKinds, 0x04, "DIV_FLOPS"},
                           {kFmaKind, 0x08, "MAC_FLOPS"}};

// The event can grow by more than a counter's increment per cycle, so that the kernel joins two
// counters (it adds the second one, MERGE, itself: never program it).
constexpr std::string_view kMergedNote = "needs Linux 5.6, and two counters per event";

Event Flop(uint32_t umask, std::string name, std::string pfm_name = "") {
  Event event =
      Core(fmt::format("event=0x03,umask=0x{:02x}", umask), std::move(name), std::move(pfm_name));
  event.counters = 2;
  return event;
}

// Precision and kind together: by kind is the finer view of the same operations.
void AddZen1Flops(EventTable& to) {
  const auto pfm = [](std::string_view name) {
    return fmt::format("amd64_fam17h_zen1::RETIRED_SSE_AVX_OPERATIONS:{}", name);
  };
  const auto add = [&](FpPrecision precision, std::string_view prefix, uint32_t shift) {
    to.formulas.push_back(One(Flops(precision),
                              Flop(0x0fu << shift, fmt::format("RetSseAvxOps.{}_ALL", prefix)), 1,
                              std::string(kMergedNote)));
    constexpr Kind kOwn[] = {{kAddKind, 0x01, "ADD_SUB_FLOPS"},
                             {kMulKind, 0x02, "MULT_FLOPS"},
                             {kDivKinds, 0x04, "DIV_FLOPS"},
                             {kFmaKind, 0x08, "MULT_ADD_FLOPS"}};
    for (const Kind& kind : kOwn) {
      const std::string name = fmt::format("{}_{}", prefix, kind.name);
      to.formulas.push_back(
          One(FlopsOfKind(precision, kind.kinds),
              Flop(kind.umask << shift, fmt::format("RetSseAvxOps.{}", name), pfm(name)), 1,
              std::string(kMergedNote)));
    }
  };
  add(kDp, "DP", 4);
  add(kSp, "SP", 0);
}

void AddMixed(EventTable& to, Quantity quantity, Event event) {
  to.formulas.push_back({quantity,
                         {{std::move(event)}},
                         Status::kMixedPrecision,
                         fmt::format("all precisions together; {}", kMergedNote)});
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

// Upper half of the unit mask: 8 and A are double (scalar, packed), 4 and 6 single, 2 bfloat16, 0
// any; lower half: the kinds.
void AddZen5Flops(EventTable& to) {
  const auto add = [&](FpPrecision precision, FpWidth width, uint32_t umask,
                       std::string_view name) {
    to.formulas.push_back(One(Flops(precision, width),
                              Flop(umask, fmt::format("RetSseAvxFlops.{}", name)), 1,
                              std::string(kMergedNote)));
  };
  add(kDp, FpWidth::kScalar, 0x8f, "SCALAR_DOUBLE_ALL");
  add(kDp, FpWidth::kVector, 0xaf, "PACKED_DOUBLE_ALL");
  add(kSp, FpWidth::kScalar, 0x4f, "SCALAR_SINGLE_ALL");
  add(kSp, FpWidth::kVector, 0x6f, "PACKED_SINGLE_ALL");
  add(kBf16, FpWidth::kAny, 0x2f, "BFLOAT16_ALL");
  AddMixedKinds(to, "");
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
    "lines that L1 got from memory; those that the L2 prefetcher fetches, and write-backs, are not "
    "in it";

void AddCaches(EventTable& to) {
  const Microarch microarch = to.cpu.microarch;
  if (microarch <= Microarch::kZen2) {
    to.formulas.push_back(ThreeFills(Measure::kLastLevelMisses, 0x48, 1, std::string(kFillNote)));
    to.formulas.push_back(ThreeFills(Measure::kL1ReadBytes, 0x5b, 64, ""));
  } else {
    const std::string all = microarch == Microarch::kZen3 ? "0x5f" : "0xdf";
    to.formulas.push_back(One({Measure::kLastLevelMisses},
                              Core("event=0x44,umask=0x48", "LsAnyFillsFromSys.DRAM_IO"), 1,
                              std::string(kFillNote)));
    to.formulas.push_back(
        One({Measure::kL1ReadBytes},
            Core(fmt::format("event=0x44,umask={}", all), "LsAnyFillsFromSys.ALL"), 64));
  }
  // AMD's own sum for L2 misses; on Zen 5, L1's prefetches are in the first term already.
  const std::string prefetchers = microarch == Microarch::kZen5 ? "0x1f" : "0xff";
  to.formulas.push_back(
      {{Measure::kL2ReadBytes},
       {{Core("event=0x64,umask=0x09", "L2CacheReqStat.IC_DC_MISS_IN_L2"), 64},
        {Core(fmt::format("event=0x71,umask={}", prefetchers), "L2PfMissL2HitL3"), 64},
        {Core(fmt::format("event=0x72,umask={}", prefetchers), "L2PfMissL2L3"), 64}},
       Status::kMeasured,
       "instruction lines included"});
  to.formulas.push_back(One({Measure::kL3ReadBytes},
                            On("amd_l3", "event=0x04,umask=0x01", "L3LookupState.L3_MISS"), 64,
                            "per L3 and all of its cores; requests that only change a line's "
                            "state are included"));
  for (const Measure measure : {Measure::kL1WriteBytes, Measure::kL2WriteBytes})
    to.refusals.push_back({measure, "Zen has no documented event for lines written back"});
}

// One event per channel, all on the same device: `channels` of them are summed.
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
          "cycles without retirement whose oldest operation waits for a load"));
}

}  // namespace

EventTable AmdTable(const CpuModel& cpu) {
  EventTable to{cpu, {}, {}, 64, {}};
  const Refusal no_stalls{Measure::kMemoryStallCycles,
                          "this generation of Zen has no event for cycles that wait for memory"};
  switch (cpu.microarch) {
    case Microarch::kZen1:
      AddBasics(to, "amd64_fam17h_zen1");
      AddZen1Flops(to);
      to.refusals.push_back(no_stalls);
      AddDataFabric(to, 2, "reads and writes together, per die");
      break;
    case Microarch::kZen2:
      AddBasics(to, "amd64_fam17h_zen2");
      AddZen2Flops(to, "amd64_fam17h_zen2", false);
      to.refusals.push_back(no_stalls);
      AddDataFabric(to, 2,
                    "reads and writes together; what one count stands for depends on the NPS "
                    "setting, and was 2-3 times off on desktop parts: check it with roofmark "
                    "doctor --self-test");
      break;
    case Microarch::kZen3:
      AddBasics(to, "amd64_fam19h_zen3");
      AddZen2Flops(to, "amd64_fam19h_zen3", false);
      to.refusals.push_back(no_stalls);
      AddDataFabric(to, 8,
                    "reads and writes together; eight channels on four counters, so each is "
                    "counted half of the time; right with NPS1 only");
      break;
    case Microarch::kZen4:
      AddBasics(to, "amd64_fam19h_zen4");
      AddZen2Flops(to, "amd64_fam19h_zen4", true);
      AddStalls(to, "amd64_fam19h_zen4::CYCLES_NO_RETIRE:NOT_COMPLETE_MISSING_LOAD");
      AddMemoryControllers(to);
      break;
    default:
      AddBasics(to, "");
      AddZen5Flops(to);
      AddStalls(to, "");
      AddMemoryControllers(to);
      break;
  }
  AddCaches(to);
  return to;
}

}  // namespace roofmark::events
