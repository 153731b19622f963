// SPDX-License-Identifier: BSD-3-Clause
//
// Which samples count, and what is published of them. Pure functions.
#ifndef ROOFMARK_BENCHMARKS_MACHINE_STATISTICS_H_
#define ROOFMARK_BENCHMARKS_MACHINE_STATISTICS_H_

#include <cstdint>
#include <vector>

#include "benchmarks/machine/team.h"
#include "lib/model/machine.h"

namespace roofmark {

// Wall time from the first start to the last end, in seconds.
double WallSeconds(const std::vector<ThreadTiming>& timings);

// False if another program had one of the cores: a thread was switched away or had less than 98.5 %
// of the wall time, or the threads' starts lie more than 5 % of the sample apart.
bool Undisturbed(const std::vector<ThreadTiming>& timings);

// Linear between ranks; `sorted` ascending, not empty; 0 <= share <= 1.
double Quantile(const std::vector<double>& sorted, double share);

// The highest rate that was reached repeatedly: by a tenth of the samples, and by two at least (by
// the only one there is). `rates` is not empty.
double ReachedRepeatedly(std::vector<double> rates);

// The samples of one kernel on one number of cores. A ceiling is what the machine can sustain, so
// its value is what undisturbed samples reached repeatedly: a neighbour on the same physical core
// slows a sample without a trace that this process could see, and one sample alone may be too fast.
class Series {
 public:
  void Add(double rate, bool undisturbed) {
    (undisturbed ? accepted_ : disturbed_).push_back(rate);
  }

  size_t accepted() const { return accepted_.size(); }
  size_t rejected() const { return disturbed_.size(); }
  bool empty() const { return accepted_.empty() && disturbed_.empty(); }

  // True when no sample was undisturbed: the figures are then those of the disturbed ones, which a
  // quiet machine would exceed.
  bool OnlyDisturbed() const { return accepted_.empty() && !disturbed_.empty(); }

  // value, median, min, max, samples and noise of a point; not to be called on an empty series.
  MachinePoint Summary() const;

  // By how much the value would have differed (relative to it) had only the first or only the
  // second half of the undisturbed samples been taken: what another run may differ by. 1 with fewer
  // than four of them.
  double Noise() const;

  // Has the value moved by less than `tolerance` (relative) since the last call, and is there
  // little noise, or are there `enough` samples? Needs six undisturbed ones.
  bool Settled(double tolerance, uint32_t enough);

 private:
  std::vector<double> accepted_, disturbed_;
  double last_value_ = 0;
};

}  // namespace roofmark

#endif  // ROOFMARK_BENCHMARKS_MACHINE_STATISTICS_H_
