// SPDX-License-Identifier: BSD-3-Clause
//
// Regions on the model machine, analysed: what the tests of verdicts, ceilings, advice and charts
// have in common.
#ifndef ROOFMARK_TESTS_LIB_MODEL_ANALYZED_H_
#define ROOFMARK_TESTS_LIB_MODEL_ANALYZED_H_

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lib/model/advice.h"
#include "lib/model/analysis.h"
#include "lib/model/region_inputs.h"
#include "tests/lib/model/model_machine.h"

namespace roofmark::test {

inline constexpr uint64_t kGiga = 1'000'000'000;

inline JobAnalysis AnalyzedJob(const JobProfile& job, const Machine& machine = ModelMachine()) {
  return Analyze(job, &machine);
}

// All nodes are such machines.
inline JobModel ModelOf(const Machine& machine, const RunInfo& run) {
  std::vector<NodeKind> kinds = NodeKindsOf(run);
  AssignMachines({&machine, 1}, kinds);
  return {kinds, run};
}

// The first path.
inline PathAnalysis Analyzed(const JobProfile& job, const Machine& machine = ModelMachine()) {
  return AnalyzedJob(job, machine).paths.at(0);
}

// The same of a region that took a thousand seconds on each rank: no bound is above its time.
inline PathAnalysis AnalyzedSlow(JobProfile job, const Machine& machine = ModelMachine()) {
  const std::vector<uint64_t> long_ns(job.run.ranks, 1000 * kGiga);
  Set(job, 0, metric::kTimeNs, long_ns, "timer");
  return Analyzed(job, machine);
}

// One region that took a second: FLOPs of one class, bytes read from DRAM.
inline JobProfile JobOf(Width width, FlopKind kind, uint64_t flops, uint64_t bytes) {
  JobProfile job = CountedJob();
  SpreadFlops(job, width, kind, flops);
  SpreadReads(job, bytes);
  return job;
}

// Each of the two ranks has touched 400 MB of memory with so many page faults.
inline void TouchSmallPages(JobProfile& job, uint64_t faults) {
  const auto both = [](uint64_t number) {
    return Combine(Cell::Of(number, 0, Status::kMeasured), Cell::Of(number, 1, Status::kMeasured));
  };
  job.run.kernel.page_faults = both(faults);
  job.run.kernel.resident_bytes = both(400'000 * 1024);
}

inline const Ceiling& Of(const PathAnalysis& path, Shortfall shortfall) {
  return path.runtime.ceilings.at(Index(shortfall));
}

inline void ExpectCeiling(const PathAnalysis& path, Shortfall shortfall, double height,
                          double gain) {
  const Ceiling& ceiling = Of(path, shortfall);
  ASSERT_TRUE(ceiling.height.least) << static_cast<int>(ceiling.height.least.reason.id);
  EXPECT_NEAR(*ceiling.height.least, height, 1e-6 * height) << InfoOf(shortfall).name;
  EXPECT_NEAR(*ceiling.gain.least, gain, 1e-6) << InfoOf(shortfall).name;
}

// Of what is worth curing; empty if nothing is.
inline std::string First(const PathAnalysis& path) {
  const auto ranked = WorthCuring(path.runtime);
  return ranked.empty() ? "" : std::string(InfoOf(ranked[0]->shortfall).name);
}

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_LIB_MODEL_ANALYZED_H_
