// SPDX-License-Identifier: BSD-3-Clause
//
// How a code scales: times of its regions over runs with different numbers of workers (ranks x
// threads). Strong scaling: the same work on more workers (Amdahl 1967). Weak: work grows with them
// (Gustafson 1988).
#ifndef ROOFMARK_LIB_MODEL_SCALING_H_
#define ROOFMARK_LIB_MODEL_SCALING_H_

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lib/model/comparison.h"

namespace roofmark {

enum class ScalingKind : uint8_t { kStrong, kWeak };

// Of one region in one run. Everything is relative to the run with the fewest workers. The three
// factors multiply to the efficiency (the metrics of the POP project: computation scalability, and
// communication efficiency and load balance over those of the first run). They are missing where
// time inside MPI was not measured.
struct ScalingPoint {
  std::optional<double> time_s;      // geometric mean of the executions
  std::optional<double> speedup;     // weak: of the grown work
  std::optional<double> efficiency;  // speedup over the growth of workers
  std::optional<double> computation, communication, balance;
  // Karp and Flatt 1990, strong scaling alone: the share of the first run's time that did not get
  // shorter with more workers.
  std::optional<double> serial;
};

struct ScalingRegion {
  std::string path;
  std::vector<ScalingPoint> points;  // as Scaling::workers
};

struct ScaledRun {
  size_t file = 0;  // its place among the runs that were given
  uint32_t ranks = 1, threads = 1;
  double workers = 1;
};

struct Scaling {
  ScalingKind kind = ScalingKind::kStrong;
  // By which the kind was recognised: FLOPs of all ranks in the last run over those in the first.
  std::optional<double> work_growth;
  std::vector<ScaledRun> runs;         // by workers
  std::vector<ScalingRegion> regions;  // by path; the program as a whole is the last, where known
};

// `kind`: as given; else that of which the regions' FLOPs tell: weak where they grow with the
// workers, strong where they stay, and where they are not known. At least one run.
Scaling ScalingOf(const std::vector<ComparedRun>& runs, std::optional<ScalingKind> kind);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_SCALING_H_
