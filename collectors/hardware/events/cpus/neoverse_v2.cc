// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/events/cpus/arm.h"

namespace roofmark::events::cpus {
namespace {

// Reads are counted in 32-byte beats, writes in bytes.
void AddGraceMemory(EventTable& to) {
  arm::Add(to, One({Measure::kDramReadBytes},
                   On("nvidia_scf_pmu_#", "event=0x1a5", "CMEM_RD_DATA", "cmem_rd_data"), 32,
                   "NVIDIA Grace only: other Neoverse V2 have no such device"));
  arm::Add(to,
           One({Measure::kDramWriteBytes},
               On("nvidia_scf_pmu_#", "event=0x1db", "CMEM_WR_TOTAL_BYTES", "cmem_wr_total_bytes"),
               1, "NVIDIA Grace only: other Neoverse V2 have no such device"));
}

void FillNeoverseV2(EventTable& to) {
  arm::AddBasics(to);
  arm::AddNeoverseFlops(to);
  arm::AddNeoverseStalls(to);
  arm::AddNeoverseCaches(to);
  AddGraceMemory(to);
  arm::RefuseL3(to);
}

}  // namespace

const Cpu neoverse_v2 = {"v2", "Arm Neoverse V2 (NVIDIA Grace)",
                         [](const CpuFacts& facts) { return arm::Is(facts, 0x41, 0xd4f); }, nullptr,
                         &FillNeoverseV2};

}  // namespace roofmark::events::cpus
