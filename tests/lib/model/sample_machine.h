// SPDX-License-Identifier: BSD-3-Clause
//
// A machine with round numbers: of two cores, every curve doubles from one core to two.
#ifndef ROOFMARK_TESTS_LIB_MODEL_SAMPLE_MACHINE_H_
#define ROOFMARK_TESTS_LIB_MODEL_SAMPLE_MACHINE_H_

#include <string>

#include "lib/model/machine.h"

namespace roofmark::test {

inline MachinePoint MakePoint(uint32_t cores, uint32_t packages, double value, double median,
                              double min, double max) {
  MachinePoint point;
  point.cores = cores;
  point.packages = packages;
  point.value = value;
  point.median = median;
  point.min = min;
  point.max = max;
  point.samples = 9;
  return point;
}

// Without any spread.
inline MachinePoint MakePoint(uint32_t cores, uint32_t packages, double value) {
  return MakePoint(cores, packages, value, value, value, value);
}

inline CeilingCurve MakeCeiling(const std::string& id, const std::string& label, double one_core,
                                double counted_factor = 1) {
  CeilingCurve ceiling;
  ceiling.id = id;
  ceiling.label = label;
  ceiling.unit = id[0] == 'c' ? "GFLOP/s" : "GB/s";
  ceiling.counted_factor = counted_factor;
  ceiling.curve = {MakePoint(1, 1, one_core), MakePoint(2, 1, 2 * one_core)};
  return ceiling;
}

inline Machine SampleMachine() {
  Machine machine;
  machine.cpu_model = "Sample CPU";
  machine.cores = machine.threads = 2;
  machine.measured_at = "2026-01-02T03:04:05Z";
  machine.effort = "quick";
  machine.ceilings = {MakeCeiling("compute.dp.peak", "double precision peak", 80),
                      MakeCeiling("compute.dp.fma.512", "512-bit FMA", 80),
                      MakeCeiling("compute.dp.add.512", "512-bit add", 40),
                      MakeCeiling("compute.dp.chain.scalar", "dependent adds", 1.5),
                      MakeCeiling("compute.sp.peak", "single precision peak", 160),
                      MakeCeiling("bandwidth.L1.read", "L1 read", 360),
                      MakeCeiling("bandwidth.L2.read", "L2 read", 100),
                      MakeCeiling("bandwidth.L3.read", "L3 read", 30),
                      MakeCeiling("bandwidth.DRAM.read", "DRAM read", 17),
                      MakeCeiling("bandwidth.DRAM.triad", "DRAM triad", 15, 4.0 / 3)};
  return machine;
}

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_LIB_MODEL_SAMPLE_MACHINE_H_
