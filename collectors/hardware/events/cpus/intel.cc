// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/events/cpus/intel.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace roofmark::events::intel {
namespace {

constexpr std::string_view kMissNote =
    "counts loads, stores and the core's own prefetches, but not lines that the L2 prefetcher or "
    "another core fetches, and not write-backs";
constexpr std::string_view kL1InNote = "lines replaced in L1, without stores that bypass L1";
constexpr std::string_view kL2InNote =
    "lines filled into L2 from L3 or memory, including lines of instructions";

void AddL1In(Maker& to) {
  to.Add(One({Measure::kL1ReadBytes},
             Core("event=0x51,umask=0x01", "L1D.REPLACEMENT", to.Pfm("L1D:REPLACEMENT")), 64,
             std::string(kL1InNote)));
}

}  // namespace

bool Is(const CpuFacts& facts, std::initializer_list<uint32_t> models) {
  return facts.vendor == "GenuineIntel" && facts.family == 6 &&
         std::find(models.begin(), models.end(), facts.model) != models.end();
}

Maker::Maker(EventTable& to, std::string_view server_pmu, std::string_view client_pmu,
             std::string_view uncore)
    : table(to),
      pmu(to.cpu.client ? client_pmu : server_pmu),
      uncore_pmu(to.cpu.client ? "" : uncore) {}

std::string Maker::Pfm(std::string_view name) const {
  return pmu.empty() || name.empty() ? "" : fmt::format("{}::{}", pmu, name);
}

void Maker::RefuseL3() {
  Refuse(Measure::kL3ReadBytes,
         "counted per slice of the L3, not per core: not in roofmark's table");
}

void AddBasics(Maker& to, std::string_view misses) {
  to.Add(One({Measure::kCycles},
             Core("event=0x3c", "CPU_CLK_UNHALTED.THREAD_P", to.Pfm("UNHALTED_CORE_CYCLES"))));
  to.Add(One({Measure::kInstructions},
             Core("event=0xc0", "INST_RETIRED.ANY_P", to.Pfm("INSTRUCTION_RETIRED"))));
  to.Add(One({Measure::kLastLevelMisses},
             Core("event=0x2e,umask=0x41", "LONGEST_LAT_CACHE.MISS", to.Pfm(misses)), 1,
             std::string(kMissNote)));
}

void AddSandyBridgeFlops(Maker& to) {
  const auto add = [&](FpPrecision precision, FpWidth width, double weight, std::string fields,
                       std::string name, std::string_view pfm) {
    to.Add(One(Flops(precision, width), Core(std::move(fields), std::move(name), to.Pfm(pfm)),
               weight,
               "counts executed, not retired operations: the count is too high, most of all where "
               "loads miss the caches"));
  };
  add(kDp, FpWidth::kScalar, 1, "event=0x10,umask=0x80", "FP_COMP_OPS_EXE.SSE_SCALAR_DOUBLE",
      "FP_COMP_OPS_EXE:SSE_SCALAR_DOUBLE");
  add(kDp, FpWidth::k128, 2, "event=0x10,umask=0x10", "FP_COMP_OPS_EXE.SSE_PACKED_DOUBLE",
      "FP_COMP_OPS_EXE:SSE_FP_PACKED_DOUBLE");
  add(kDp, FpWidth::k256, 4, "event=0x11,umask=0x02", "SIMD_FP_256.PACKED_DOUBLE",
      "SIMD_FP_256:PACKED_DOUBLE");
  add(kSp, FpWidth::kScalar, 1, "event=0x10,umask=0x20", "FP_COMP_OPS_EXE.SSE_SCALAR_SINGLE",
      "FP_COMP_OPS_EXE:SSE_FP_SCALAR_SINGLE");
  add(kSp, FpWidth::k128, 4, "event=0x10,umask=0x40", "FP_COMP_OPS_EXE.SSE_PACKED_SINGLE",
      "FP_COMP_OPS_EXE:SSE_PACKED_SINGLE");
  add(kSp, FpWidth::k256, 8, "event=0x11,umask=0x01", "SIMD_FP_256.PACKED_SINGLE",
      "SIMD_FP_256:PACKED_SINGLE");
}

void AddRetiredFlops(Maker& to, bool has_512) {
  const auto add = [&](FpPrecision precision, FpWidth width, double weight, uint32_t umask,
                       std::string_view name) {
    to.Add(One(Flops(precision, width),
               Core(fmt::format("event=0xc7,umask=0x{:02x}", umask),
                    fmt::format("FP_ARITH_INST_RETIRED.{}", name),
                    to.Pfm(fmt::format("FP_ARITH_INST_RETIRED:{}", name))),
               weight));
  };
  add(kDp, FpWidth::kScalar, 1, 0x01, "SCALAR_DOUBLE");
  add(kDp, FpWidth::k128, 2, 0x04, "128B_PACKED_DOUBLE");
  add(kDp, FpWidth::k256, 4, 0x10, "256B_PACKED_DOUBLE");
  if (has_512) add(kDp, FpWidth::k512, 8, 0x40, "512B_PACKED_DOUBLE");
  add(kSp, FpWidth::kScalar, 1, 0x02, "SCALAR_SINGLE");
  add(kSp, FpWidth::k128, 4, 0x08, "128B_PACKED_SINGLE");
  add(kSp, FpWidth::k256, 8, 0x20, "256B_PACKED_SINGLE");
  if (has_512) add(kSp, FpWidth::k512, 16, 0x80, "512B_PACKED_SINGLE");
}

void AddHalfFlops(Maker& to) {
  const auto add = [&](FpWidth width, double weight, uint32_t umask, std::string_view name) {
    to.Add(One(Flops(kHp, width),
               Core(fmt::format("event=0xcf,umask=0x{:02x}", umask),
                    fmt::format("FP_ARITH_INST_RETIRED2.{}", name),
                    to.Pfm(fmt::format("FP_ARITH_INST_RETIRED2:{}", name))),
               weight));
  };
  add(FpWidth::kScalar, 1, 0x03, "SCALAR");
  add(FpWidth::k128, 8, 0x04, "128B_PACKED_HALF");
  add(FpWidth::k256, 16, 0x08, "256B_PACKED_HALF");
  add(FpWidth::k512, 32, 0x10, "512B_PACKED_HALF");
}

void AddStalls(Maker& to, std::string fields, std::string name, std::string_view pfm,
               std::string note) {
  to.Add(One({Measure::kMemoryStallCycles}, Core(std::move(fields), std::move(name), to.Pfm(pfm)),
             1, std::move(note)));
}

void AddOldCaches(Maker& to) {
  AddL1In(to);
  to.Add(One({Measure::kL1WriteBytes},
             Core("event=0xf0,umask=0x10", "L2_TRANS.L1D_WB", to.Pfm("L2_TRANS:L1D_WB")), 64));
  to.Add(One({Measure::kL2ReadBytes},
             Core("event=0xf1,umask=0x07", "L2_LINES_IN.ALL", to.Pfm("L2_LINES_IN:ANY")), 64,
             std::string(kL2InNote)));
  to.Add(One({Measure::kL2WriteBytes},
             Core("event=0xf0,umask=0x40", "L2_TRANS.L2_WB", to.Pfm("L2_TRANS:L2_WB")), 64));
}

void AddNewCaches(Maker& to, std::string in, std::string out) {
  AddL1In(to);
  to.Refuse(Measure::kL1WriteBytes,
            "this CPU has no documented event for lines that L1 writes back");
  to.Add(One({Measure::kL2ReadBytes},
             Core(std::move(in), "L2_LINES_IN.ALL", to.Pfm("L2_LINES_IN:ALL")), 64,
             std::string(kL2InNote)));
  to.Add(One({Measure::kL2WriteBytes},
             Core(std::move(out), "L2_LINES_OUT.NON_SILENT", to.Pfm("L2_LINES_OUT:NON_SILENT")), 64,
             "lines that L2 passes to L3, including unmodified lines where L2 fills L3"));
}

void AddChannels(Maker& to, std::string_view event, std::string_view read, std::string_view write) {
  const std::string device = "uncore_imc_#|uncore_imc";
  const auto add = [&](Measure measure, std::string_view umask, std::string_view kernel,
                       std::string_view pfm) {
    to.Add(One(
        {measure},
        On(device, fmt::format("event={},umask={}", event, umask),
           fmt::format("UNC_M_CAS_COUNT.{}", pfm), std::string(kernel),
           to.uncore_pmu.empty() ? ""
                                 : fmt::format("{}{{}}::UNC_M_CAS_COUNT:{}", to.uncore_pmu, pfm)),
        64));
  };
  add(Measure::kDramReadBytes, read, "cas_count_read", "RD");
  add(Measure::kDramWriteBytes, write, "cas_count_write", "WR");
}

void AddHbm(Maker& to) {
  const auto add = [&](Measure measure, std::string_view umask, std::string_view name) {
    to.Add(One({measure},
               On("uncore_hbm_#|uncore_type_14_#", fmt::format("event=0x05,umask={}", umask),
                  fmt::format("UNC_MCHBM_CAS_COUNT.{}", name)),
               64, "Xeon Max only; in cache mode it is in addition to the DRAM traffic"));
  };
  add(Measure::kHbmReadBytes, "0xcf", "RD");
  add(Measure::kHbmWriteBytes, "0xf0", "WR");
}

void AddSubchannels(Maker& to) {
  const auto add = [&](Measure measure, std::string_view umask, std::string_view kernel,
                       std::string_view name) {
    Formula sum{{measure}, {}, Status::kMeasured, ""};
    for (int sub = 0; sub < 2; ++sub) {
      sum.terms.push_back(
          {On("uncore_imc_#|uncore_type_6_#", fmt::format("event=0x0{},umask={}", 5 + sub, umask),
              fmt::format("UNC_M_CAS_COUNT_SCH{}.{}", sub, name),
              fmt::format("{}_sch{}", kernel, sub)),
           64});
    }
    to.Add(std::move(sum));
  };
  add(Measure::kDramReadBytes, "0xcf", "cas_count_read", "RD");
  add(Measure::kDramWriteBytes, "0xf0", "cas_count_write", "WR");
}

void AddClientMemory(Maker& to) {
  to.Add(One({Measure::kDramReadBytes}, On("uncore_imc", "event=0x01", "data_reads", "data_reads"),
             64, "includes graphics and other devices"));
  to.Add(One({Measure::kDramWriteBytes},
             On("uncore_imc", "event=0x02", "data_writes", "data_writes"), 64,
             "includes graphics and other devices"));
}

void AddOldMemory(Maker& to) {
  to.table.cpu.client ? AddClientMemory(to) : AddChannels(to, "0x04", "0x03", "0x0c");
}

void AddSkylakeStalls(Maker& to) {
  AddStalls(to, "event=0xa3,umask=0x14,cmask=0x14", "CYCLE_ACTIVITY.STALLS_MEM_ANY",
            "CYCLE_ACTIVITY:STALLS_MEM_ANY");
}

void AddSapphireRapidsCore(Maker& to) {
  AddBasics(to, "LONGEST_LAT_CACHE:MISS");
  AddRetiredFlops(to, true);
  AddHalfFlops(to);
  AddStalls(to, "event=0xa6,umask=0x21,cmask=0x05", "EXE_ACTIVITY.BOUND_ON_LOADS",
            "EXE_ACTIVITY:BOUND_ON_LOADS");
  AddNewCaches(to, "event=0x25,umask=0x1f", "event=0x26,umask=0x02");
}

}  // namespace roofmark::events::intel
