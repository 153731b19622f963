// SPDX-License-Identifier: BSD-3-Clause
//
// Measures this machine's ceilings within the calling process's cpuset.
#ifndef ROOFMARK_BENCHMARKS_MACHINE_MEASURE_H_
#define ROOFMARK_BENCHMARKS_MACHINE_MEASURE_H_

#include <atomic>
#include <functional>
#include <string_view>

#include "benchmarks/machine/plan.h"
#include "lib/core/result.h"
#include "lib/model/machine.h"

namespace roofmark {

struct MeasureOptions {
  Effort effort = Effort::kDefault;
  // When it becomes true, what was measured so far is returned, marked partial. May be null; may
  // be set from a signal handler.
  const std::atomic<bool>* stop = nullptr;
  // Told every few seconds, between two kernels, what was measured so far, marked partial: to be
  // kept in case this process is killed. May be empty.
  std::function<void(const Machine&)> keep;
};

// Told how far the measurement is, a few times per second, from the calling thread.
class Progress {
 public:
  virtual ~Progress() = default;
  // `share` from 0 to 1; `seconds_left` at most.
  virtual void Update(double share, double seconds_left, std::string_view what) = 0;
};

// Starts a pinned thread per core; the calling thread sleeps meanwhile and its own affinity stays.
// Errors: no usable topology, no memory.
Result<Machine> MeasureMachine(const MeasureOptions& options, Progress& progress);

}  // namespace roofmark

#endif  // ROOFMARK_BENCHMARKS_MACHINE_MEASURE_H_
