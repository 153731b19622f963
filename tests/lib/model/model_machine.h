// SPDX-License-Identifier: BSD-3-Clause
//
// A machine on which the resource-time model can be checked by hand: two cores at 2 GHz, two
// 256-bit pipes each that add, multiply and fuse alike, four instructions a cycle. All curves
// double from one core to two but DRAM's, of which one core draws two thirds.
#ifndef ROOFMARK_TESTS_LIB_MODEL_MODEL_MACHINE_H_
#define ROOFMARK_TESTS_LIB_MODEL_MODEL_MACHINE_H_

#include <string>
#include <vector>

#include "tests/lib/model/sample_machine.h"
#include "tests/lib/profile/sample_job.h"

namespace roofmark::test {

// GFLOP/s of one core at double precision: scalar additions 4, 256-bit ones 16, fused 32.
inline Machine ModelMachine() {
  Machine machine;
  machine.cpu_model = "Model CPU";
  machine.cores = machine.threads = 2;
  machine.effort = "default";
  machine.measured_at = "2026-01-02T03:04:05Z";
  const auto add = [&machine](const std::string& id, double one_core, double factor = 1) {
    machine.ceilings.push_back(MakeCeiling(id, id, one_core, factor));
  };
  for (const auto& [precision, more] : {std::pair{"dp", 1.0}, {"sp", 2.0}}) {
    const std::string compute = std::string("compute.") + precision + ".";
    add(compute + "chain.scalar", 0.5);
    add(compute + "ilp.scalar", 4);
    for (const auto& [width, lanes] :
         {std::pair{"scalar", 1.0}, {"128", 2.0 * more}, {"256", 4.0 * more}}) {
      for (const char* kind : {"add", "mul", "muladd"})
        add(compute + kind + "." + width, 4 * lanes);
      add(compute + "fma." + width, 8 * lanes);
      // A division of any width takes 4 cycles, a root 8.
      add(compute + "div." + width, 0.5 * lanes);
      add(compute + "sqrt." + width, 0.25 * lanes);
    }
    add(compute + "peak", 32 * more);
    // Eight instructions a nanosecond, of which one in n performs 8 (16) FLOPs, two a cycle at
    // most.
    for (const int n : {2, 4, 8, 16}) {
      add(std::string("mix.") + precision + "." + std::to_string(n), 64 * more / n);
    }
  }
  add("clock.256", 2);
  machine.ceilings.back().curve[1].value = 2;
  for (const auto& [level, gbs] : {std::pair{"L1", 400.0}, {"L2", 200.0}, {"L3", 100.0}}) {
    add(std::string("bandwidth.") + level + ".read", gbs);
  }
  add("bandwidth.DRAM.read", 20);
  add("bandwidth.DRAM.random", 4);
  for (auto it = machine.ceilings.end() - 2; it != machine.ceilings.end(); ++it) {
    it->curve[1].value = 1.5 * it->curve[0].value;  // 30 and 6 GB/s
  }
  return machine;
}

// One region "r" of one second, counted by the counting engine, nothing done yet. All of its memory
// traffic is compulsory and none is allocated for stores.
inline JobProfile CountedJob(uint32_t ranks = 2, uint32_t threads = 1) {
  JobProfile job = EmptyJob(ranks, threads, 2);
  AddPass(job, "timer", 1.0);
  AddPass(job, "counting", 10.0);
  const size_t r = AddPath(job, "r");
  const std::vector<uint64_t> none(ranks, 0);
  Set(job, r, metric::kVisits, std::vector<uint64_t>(ranks, 1), "timer");
  Set(job, r, metric::kTimeNs, std::vector<uint64_t>(ranks, 1'000'000'000), "timer");
  for (MetricId m = 0; m < kFlopClasses; ++m) Set(job, r, m, none);
  for (MetricId m = metric::kInstructions; m <= metric::kNtStoreBytes; ++m) Set(job, r, m, none);
  for (MetricId m = metric::kL1ReadBytes; m <= metric::kMissesConflict; ++m) {
    Set(job, r, m, none, "counting", Status::kModelled);
  }
  Set(job, r, InMpi(metric::kInstructionsApart), none);
  Set(job, r, InRuntime(metric::kInstructionsApart), none);
  Set(job, r, metric::kWorkers, std::vector<uint64_t>(ranks, threads));
  Set(job, r, metric::kWorkerFlopsMax, none);
  Set(job, r, metric::kWorkerBytesMax, none);
  return job;
}

// The same on every rank.
inline void Spread(JobProfile& job, MetricId metric, uint64_t total) {
  const uint32_t ranks = job.run.ranks;
  const Status status = job.sources[metric].status;
  Set(job, 0, metric, std::vector<uint64_t>(ranks, total / ranks), "counting",
      HasValue(status) ? status : Status::kMeasured);
}

// FLOPs of one class, evenly on all workers, with the instructions that perform them.
inline void SpreadFlops(JobProfile& job, Width width, FlopKind kind, uint64_t flops,
                        Precision precision = Precision::kDouble) {
  Spread(job, FlopMetric(precision, width, kind), flops);
  const uint64_t workers = uint64_t{job.run.ranks} * job.run.threads_max;
  const uint64_t before = job.At(0, metric::kWorkerFlopsMax).max;
  Spread(job, metric::kWorkerFlopsMax, before * job.run.ranks + flops / workers * job.run.ranks);
}

// Loaded from DRAM, and for the first time.
inline void SpreadReads(JobProfile& job, uint64_t bytes) {
  const uint64_t workers = uint64_t{job.run.ranks} * job.run.threads_max;
  Spread(job, metric::kDramReadBytes, bytes);
  Spread(job, metric::kLoadBytes, bytes);
  Spread(job, metric::kMissesCompulsory, bytes / 64);
  Spread(job, metric::kWorkerBytesMax, bytes / workers * job.run.ranks);
}

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_LIB_MODEL_MODEL_MACHINE_H_
