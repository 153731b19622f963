// SPDX-License-Identifier: BSD-3-Clause
//
// Events of ARM server cores: architectural ones (Arm ARM, PMU chapter), A64FX's own (Fujitsu's
// A64FX PMU Events), and the uncore drivers of Grace and ThunderX2.
#include "collectors/hardware/events/builders.h"

namespace roofmark::events {
namespace {

constexpr std::string_view kSpeculative =
    "counted when issued, not when retired: overcounts a little";

void Add(EventTable& to, Formula formula) { to.formulas.push_back(std::move(formula)); }

void Refuse(EventTable& to, Measure measure, std::string reason) {
  to.refusals.push_back({measure, std::move(reason)});
}

// FIXED counts operations of scalar and 128-bit code; SCALE those of SVE code per 128 bits of
// vector length, hence its weight.
void AddScalableFlops(EventTable& to, FpPrecision precision, std::string fixed, std::string scale,
                      std::string prefix, Status status, std::string note) {
  Add(to, {Flops(precision),
           {{Core(std::move(fixed), prefix + "_FIXED_OPS_SPEC")},
            {Core(std::move(scale), prefix + "_SCALE_OPS_SPEC"), 1, true}},
           status,
           std::move(note)});
}

void AddBasics(EventTable& to) {
  Add(to, One({Measure::kCycles}, Core("event=0x11", "CPU_CYCLES")));
  Add(to, One({Measure::kInstructions}, Core("event=0x08", "INST_RETIRED")));
}

void AddCaches(EventTable& to) {
  const double line = to.line_bytes;
  Add(to, One({Measure::kL1ReadBytes}, Core("event=0x03", "L1D_CACHE_REFILL"), line));
  Add(to, One({Measure::kL1WriteBytes}, Core("event=0x15", "L1D_CACHE_WB"), line));
  Add(to, One({Measure::kL2ReadBytes}, Core("event=0x17", "L2D_CACHE_REFILL"), line));
  Add(to, One({Measure::kL2WriteBytes}, Core("event=0x18", "L2D_CACHE_WB"), line));
}

void AddA64fx(EventTable& to) {
  to.line_bytes = 256;
  AddBasics(to);
  const auto flops = [&](FpPrecision precision, std::string fixed, std::string scale,
                         std::string prefix) {
    AddScalableFlops(to, precision, "event=" + fixed, "event=" + scale, std::move(prefix),
                     Status::kMeasured, std::string(kSpeculative));
  };
  flops(kDp, "0x80c7", "0x80c6", "FP_DP");
  flops(kSp, "0x80c5", "0x80c4", "FP_SP");
  flops(kHp, "0x80c3", "0x80c2", "FP_HP");
  Add(to, One({Measure::kMemoryStallCycles}, Core("event=0x184", "LD_COMP_WAIT"), 1,
              "cycles without commit whose oldest operation waits for memory"));
  AddCaches(to);
  // L2 is the last level. Refills include lines moved between L2s and prefetches that matched a
  // request already under way: neither comes from memory.
  const std::vector<Term> fills = {{Core("event=0x17", "L2D_CACHE_REFILL")},
                                   {Core("event=0x325", "L2D_SWAP_DM"), -1},
                                   {Core("event=0x326", "L2D_CACHE_MIBMCH_PRF"), -1}};
  Add(to, {{Measure::kLastLevelMisses}, fills, Status::kMeasured, "lines of 256 bytes"});
  std::vector<Term> bytes = fills;
  for (Term& term : bytes) term.weight *= 256;
  Add(to, {{Measure::kDramReadBytes},
           bytes,
           Status::kMeasured,
           "counted by each core, needs no privilege"});
  Add(to, One({Measure::kDramWriteBytes}, Core("event=0x18", "L2D_CACHE_WB"), 256,
              "counted by each core, needs no privilege"));
}

void AddNeoverse(EventTable& to) {
  const Microarch microarch = to.cpu.microarch;
  AddBasics(to);
  if (microarch == Microarch::kNeoverseV1 || microarch == Microarch::kNeoverseV2) {
    AddScalableFlops(to, kMix, "event=0x80c1", "event=0x80c0", "FP", Status::kMixedPrecision,
                     "all precisions together; " + std::string(kSpeculative));
  } else {
    Refuse(to, Measure::kFlops,
           "this core counts floating-point instructions (VFP_SPEC) but no operations: count FLOPs "
           "with ROOFMARK_COLLECTOR=counting on x86, or declare them with ROOF_REGION_WORK");
  }
  if (microarch == Microarch::kNeoverseN1)
    Refuse(to, Measure::kMemoryStallCycles,
           "Neoverse N1 counts stalls, but not which of them wait for memory");
  else
    Add(to, One({Measure::kMemoryStallCycles}, Core("event=0x4005", "STALL_BACKEND_MEM")));
  Add(to, One({Measure::kLastLevelMisses}, Core("event=0x37", "LL_CACHE_MISS_RD"), 1,
              "reads only; which cache is the last one depends on the system"));
  AddCaches(to);
}

// Reads are counted in 32-byte beats, writes in bytes.
void AddGraceMemory(EventTable& to) {
  Add(to, One({Measure::kDramReadBytes},
              On("nvidia_scf_pmu_#", "event=0x1a5", "CMEM_RD_DATA", "cmem_rd_data"), 32,
              "NVIDIA Grace only: other Neoverse V2 have no such device"));
  Add(to, One({Measure::kDramWriteBytes},
              On("nvidia_scf_pmu_#", "event=0x1db", "CMEM_WR_TOTAL_BYTES", "cmem_wr_total_bytes"),
              1, "NVIDIA Grace only: other Neoverse V2 have no such device"));
}

// Scalar instructions count one each; of vector instructions only the number is known.
void AddThunderX2(EventTable& to) {
  AddBasics(to);
  const auto flops = [&](FpPrecision precision, FpView view, double lanes, std::string assumption) {
    Add(to, {{Measure::kFlops, precision, FpWidth::kAny, kAnyKind, view},
             {{Core("event=0x75", "VFP_SPEC")}, {Core("event=0x74", "ASE_SPEC"), lanes}},
             Status::kMixedPrecision,
             "as if every vector were of " + assumption +
                 "; integer vector instructions are in it, a fused multiply-add counts once"});
  };
  flops(kDp, FpView::kIfDouble, 2, "doubles");
  flops(kSp, FpView::kIfSingle, 4, "singles");
  Refuse(to, Measure::kMemoryStallCycles,
         "ThunderX2 counts stalls, but not which of them wait for memory");
  Refuse(to, Measure::kLastLevelMisses, "ThunderX2's cores do not count misses of the L3");
  AddCaches(to);
  Add(to, One({Measure::kDramReadBytes},
              On("uncore_dmc_#", "event=0x0f", "MEMORY_READS", "read_txns"), 64));
  Add(to, One({Measure::kDramWriteBytes},
              On("uncore_dmc_#", "event=0x0b", "MEMORY_WRITES", "write_txns"), 64));
}

}  // namespace

EventTable ArmTable(const CpuModel& cpu) {
  EventTable to{cpu, {}, {}, 64, {}};
  switch (cpu.microarch) {
    case Microarch::kA64fx:
      AddA64fx(to);
      break;
    case Microarch::kThunderX2:
      AddThunderX2(to);
      break;
    default:
      AddNeoverse(to);
      if (cpu.microarch == Microarch::kNeoverseV2)
        AddGraceMemory(to);
      else
        Refuse(to, Measure::kDramBytes,
               "this core's system has no memory-controller events in roofmark's table; MEM_ACCESS "
               "counts what the core issues, which is no DRAM traffic");
      break;
  }
  Refuse(to, Measure::kL3ReadBytes, "not in roofmark's table for this core");
  return to;
}

}  // namespace roofmark::events
