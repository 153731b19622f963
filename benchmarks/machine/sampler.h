// SPDX-License-Identifier: BSD-3-Clause
//
// Samples of loads: how long they are, and how tasks take turns.
#ifndef ROOFMARK_BENCHMARKS_MACHINE_SAMPLER_H_
#define ROOFMARK_BENCHMARKS_MACHINE_SAMPLER_H_

#include <cstdint>
#include <memory>
#include <string>

#include "benchmarks/machine/core_sets.h"
#include "benchmarks/machine/load.h"
#include "benchmarks/machine/statistics.h"
#include "benchmarks/machine/team.h"

namespace roofmark {

// One load on one number of cores, and what was seen of it.
struct MeasureTask {
  std::string id, label;  // of the ceiling it serves; several tasks may serve one, the best counts
  std::string variant;    // what sets it apart from the others of that id, for people
  std::string unit;       // "ns": the load's work is counted, the ceiling is the time of one
  double counted_factor = 1;
  CoreSet on = {{0}, 1};  // where it runs; the load's ranks are these workers
  std::shared_ptr<Load> load;
  double most_per_cycle = 0;  // work per cycle and core beyond which the figure is impossible
  Series rates;               // 1e9 of the load's work per second
  Series clock;               // GHz right after each sample, mean over the cores
  uint64_t repeats = 0;       // 0: not calibrated yet
  bool wrong = false;         // a check failed
  bool no_memory = false;
  bool settled = false;
  bool needed = false;  // there is no roofline without it
};

class Sampler {
 public:
  Sampler(Team& team, double sample_seconds) : team_(team), sample_seconds_(sample_seconds) {}

  // Prepares, calibrates when it must, adds `samples` samples and checks the last.
  void Round(MeasureTask& task, uint32_t samples);

 private:
  struct Sample {
    double seconds = 0, ghz = 0;
    bool undisturbed = false;
  };
  Sample Take(MeasureTask& task, uint64_t repeats);
  void Calibrate(MeasureTask& task);

  Team& team_;
  double sample_seconds_;
};

}  // namespace roofmark

#endif  // ROOFMARK_BENCHMARKS_MACHINE_SAMPLER_H_
