// SPDX-License-Identifier: BSD-3-Clause
//
// Events of Intel's cores and memory controllers. Codes as in Intel's public event lists
// (perfmon-events.intel.com) and libpfm4; a test compares every core event with libpfm4's.
#include <fmt/format.h>

#include "collectors/hardware/events/builders.h"

namespace roofmark::events {
namespace {

struct Maker {
  EventTable table;
  std::string pmu;         // libpfm4's core PMU; empty if it has none
  std::string uncore_pmu;  // and its memory controllers, "{}" for the number

  std::string Pfm(std::string_view name) const {
    return pmu.empty() || name.empty() ? "" : fmt::format("{}::{}", pmu, name);
  }
  void Add(Formula formula) { table.formulas.push_back(std::move(formula)); }
  void Refuse(Measure measure, std::string reason) {
    table.refusals.push_back({measure, std::move(reason)});
  }
};

constexpr std::string_view kMissNote =
    "counts loads, stores and the core's own prefetches; lines that the L2 prefetcher or another "
    "core fetches, and write-backs, are not in it";
constexpr std::string_view kL1InNote = "lines replaced in L1; stores that bypass it are not in it";
constexpr std::string_view kL2InNote =
    "lines filled into L2, from L3 or memory; instruction lines included";

void AddBasics(Maker& to, std::string_view misses) {
  to.Add(One({Measure::kCycles},
             Core("event=0x3c", "CPU_CLK_UNHALTED.THREAD_P", to.Pfm("UNHALTED_CORE_CYCLES"))));
  to.Add(One({Measure::kInstructions},
             Core("event=0xc0", "INST_RETIRED.ANY_P", to.Pfm("INSTRUCTION_RETIRED"))));
  to.Add(One({Measure::kLastLevelMisses},
             Core("event=0x2e,umask=0x41", "LONGEST_LAT_CACHE.MISS", to.Pfm(misses)), 1,
             std::string(kMissNote)));
}

// Executed, not retired: what waits for a load from memory is issued again and again.
void AddSandyBridgeFlops(Maker& to) {
  const auto add = [&](FpPrecision precision, FpWidth width, double weight, std::string fields,
                       std::string name, std::string_view pfm) {
    to.Add(One(Flops(precision, width), Core(std::move(fields), std::move(name), to.Pfm(pfm)),
               weight, "executed, not retired: overcounts, most where loads miss the caches"));
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

// Each width apart: newer kernels and libpfm4 refuse several of these unit masks in one event, and
// widths are what the SIMD ceiling needs. A fused multiply-add increments the counter by two.
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

// Scalar: plain (01) and complex (02) together, as Intel's own SCALAR does.
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
               std::string note = "") {
  to.Add(One({Measure::kMemoryStallCycles}, Core(std::move(fields), std::move(name), to.Pfm(pfm)),
             1, std::move(note)));
}

void AddL1In(Maker& to) {
  to.Add(One({Measure::kL1ReadBytes},
             Core("event=0x51,umask=0x01", "L1D.REPLACEMENT", to.Pfm("L1D:REPLACEMENT")), 64,
             std::string(kL1InNote)));
}

// Sandy Bridge to Broadwell: an inclusive L3, write-backs counted where they arrive.
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

// Skylake-SP and later: L3 takes what L2 evicts, modified or not. Codes moved with Sapphire Rapids.
void AddNewCaches(Maker& to, std::string in, std::string out) {
  AddL1In(to);
  to.Refuse(Measure::kL1WriteBytes,
            "this CPU has no documented event for lines that L1 writes back");
  to.Add(One({Measure::kL2ReadBytes},
             Core(std::move(in), "L2_LINES_IN.ALL", to.Pfm("L2_LINES_IN:ALL")), 64,
             std::string(kL2InNote)));
  to.Add(One({Measure::kL2WriteBytes},
             Core(std::move(out), "L2_LINES_OUT.NON_SILENT", to.Pfm("L2_LINES_OUT:NON_SILENT")), 64,
             "lines that L2 hands to L3, unmodified ones included where L3 is filled by L2"));
}

constexpr std::string_view kImc = "uncore_imc_#|uncore_imc";

void AddChannels(Maker& to, std::string device, std::string_view event, std::string_view read,
                 std::string_view write) {
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
               64, "Xeon Max only; in cache mode it comes on top of the DRAM traffic"));
  };
  add(Measure::kHbmReadBytes, "0xcf", "RD");
  add(Measure::kHbmWriteBytes, "0xf0", "WR");
}

// Two subchannels per channel, each with an event of its own: one alone is half of the traffic.
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

// Desktop and laptop parts up to Skylake's relatives: free-running counters of one controller.
void AddClientMemory(Maker& to) {
  to.Add(One({Measure::kDramReadBytes}, On("uncore_imc", "event=0x01", "data_reads", "data_reads"),
             64, "graphics and devices included"));
  to.Add(One({Measure::kDramWriteBytes},
             On("uncore_imc", "event=0x02", "data_writes", "data_writes"), 64,
             "graphics and devices included"));
}

void AddMemory(Maker& to) {
  if (!to.table.cpu.client) return AddChannels(to, std::string(kImc), "0x04", "0x03", "0x0c");
  if (to.table.cpu.microarch < Microarch::kIceLake) return AddClientMemory(to);
  to.Refuse(Measure::kDramBytes,
            "the memory controllers of this desktop or laptop CPU are not in roofmark's table");
}

void AddSierraForest(Maker& to) {
  AddBasics(to, "");
  // Operations, not instructions. Its 0xc7 has scalar double and single the other way round than
  // every other Intel core, so it is left alone.
  to.Add(One(Flops(kDp), Core("event=0xc8,umask=0x01", "FP_FLOPS_RETIRED.FP64")));
  to.Add(One(Flops(kSp), Core("event=0xc8,umask=0x02", "FP_FLOPS_RETIRED.FP32")));
  AddStalls(to, "event=0x34,umask=0x7f", "MEM_BOUND_STALLS_LOAD.ALL", "");
  for (const Measure measure : {Measure::kL1ReadBytes, Measure::kL1WriteBytes,
                                Measure::kL2ReadBytes, Measure::kL2WriteBytes})
    to.Refuse(measure, "Sierra Forest's cache traffic events are not in roofmark's table");
  AddSubchannels(to);
}

std::string PfmPmu(const CpuModel& cpu) {
  switch (cpu.microarch) {
    case Microarch::kSandyBridge:
      return cpu.client ? "snb" : "snb_ep";
    case Microarch::kIvyBridge:
      return cpu.client ? "ivb" : "ivb_ep";
    case Microarch::kHaswell:
      return cpu.client ? "hsw" : "hsw_ep";
    case Microarch::kBroadwell:
      return cpu.client ? "bdw" : "bdw_ep";
    case Microarch::kSkylake:
      return cpu.client ? "skl" : "skx";
    case Microarch::kCascadeLake:
      return "clx";
    case Microarch::kIceLake:
      return cpu.client ? "icl" : "icx";
    case Microarch::kSapphireRapids:
    case Microarch::kEmeraldRapids:  // libpfm4 does not detect it; the events are the same
      return "spr";
    default:
      return "";
  }
}

std::string PfmUncorePmu(const CpuModel& cpu) {
  if (cpu.client) return "";
  switch (cpu.microarch) {
    case Microarch::kSandyBridge:
      return "snbep_unc_imc";
    case Microarch::kIvyBridge:
      return "ivbep_unc_imc";
    case Microarch::kHaswell:
      return "hswep_unc_imc";
    case Microarch::kBroadwell:
      return "bdx_unc_imc";
    case Microarch::kSkylake:
    case Microarch::kCascadeLake:  // under Skylake's name
      return "skx_unc_imc";
    default:
      return "";
  }
}

}  // namespace

EventTable IntelTable(const CpuModel& cpu) {
  Maker to{{cpu, {}, {}, 64, {}}, PfmPmu(cpu), PfmUncorePmu(cpu)};
  switch (cpu.microarch) {
    case Microarch::kSandyBridge:
      AddBasics(to, "LLC_MISSES");
      AddSandyBridgeFlops(to);
      AddStalls(to, "event=0xa3,umask=0x06,cmask=0x06", "CYCLE_ACTIVITY.STALLS_L1D_PENDING",
                "CYCLE_ACTIVITY:STALLS_L1D_PENDING", "only where a load missed L1");
      AddOldCaches(to);
      AddMemory(to);
      break;
    case Microarch::kIvyBridge:
    case Microarch::kHaswell:
    case Microarch::kBroadwell:
      AddBasics(to, "LONGEST_LAT_CACHE:MISS");
      if (cpu.microarch == Microarch::kIvyBridge) AddSandyBridgeFlops(to);
      if (cpu.microarch == Microarch::kBroadwell) AddRetiredFlops(to, false);
      if (cpu.microarch == Microarch::kHaswell)
        to.Refuse(Measure::kFlops,
                  "Haswell has no floating-point events: count FLOPs with "
                  "ROOFMARK_COLLECTOR=counting, or declare them with ROOF_REGION_WORK");
      AddStalls(to, "event=0xa3,umask=0x06,cmask=0x06", "CYCLE_ACTIVITY.STALLS_LDM_PENDING",
                "CYCLE_ACTIVITY:STALLS_LDM_PENDING");
      AddOldCaches(to);
      AddMemory(to);
      break;
    case Microarch::kSkylake:
    case Microarch::kCascadeLake:
    case Microarch::kIceLake:
      AddBasics(to, "LONGEST_LAT_CACHE:MISS");
      AddRetiredFlops(to, !(cpu.client && cpu.microarch == Microarch::kSkylake));
      AddStalls(to, "event=0xa3,umask=0x14,cmask=0x14", "CYCLE_ACTIVITY.STALLS_MEM_ANY",
                "CYCLE_ACTIVITY:STALLS_MEM_ANY");
      AddNewCaches(to, "event=0xf1,umask=0x1f", "event=0xf2,umask=0x02");
      if (cpu.microarch == Microarch::kIceLake && !cpu.client)
        AddChannels(to, std::string(kImc), "0x04", "0x0f", "0x30");
      else
        AddMemory(to);
      break;
    case Microarch::kSapphireRapids:
    case Microarch::kEmeraldRapids:
    case Microarch::kGraniteRapids:
      AddBasics(to, "LONGEST_LAT_CACHE:MISS");
      AddRetiredFlops(to, true);
      AddHalfFlops(to);
      AddStalls(to, "event=0xa6,umask=0x21,cmask=0x05", "EXE_ACTIVITY.BOUND_ON_LOADS",
                "EXE_ACTIVITY:BOUND_ON_LOADS");
      AddNewCaches(to, "event=0x25,umask=0x1f", "event=0x26,umask=0x02");
      if (cpu.microarch == Microarch::kGraniteRapids) {
        AddSubchannels(to);
      } else {
        AddChannels(to, std::string(kImc), "0x05", "0xcf", "0xf0");
        AddHbm(to);
      }
      break;
    default:
      AddSierraForest(to);
      break;
  }
  to.Refuse(Measure::kL3ReadBytes,
            "counted per slice of the L3, not per core: not in roofmark's "
            "table");
  return to.table;
}

}  // namespace roofmark::events
