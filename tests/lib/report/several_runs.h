// SPDX-License-Identifier: BSD-3-Clause
//
// Made-up jobs in several runs, for pictures and pages that hold them against each other.
#ifndef ROOFMARK_TESTS_LIB_REPORT_SEVERAL_RUNS_H_
#define ROOFMARK_TESTS_LIB_REPORT_SEVERAL_RUNS_H_

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "lib/model/portability.h"
#include "lib/model/scaling.h"
#include "lib/report/comparison_report.h"

namespace roofmark::test {

class TwoRuns {
 public:
  TwoRuns(ReportJob before, ReportJob after)
      : before_(std::move(before)),
        after_(std::move(after)),
        comparison_(
            CompareRuns({before_.profile, before_.analysis}, {after_.profile, after_.analysis})) {}
  ComparedJobs jobs() const { return {before_, after_, comparison_}; }

 private:
  ReportJob before_, after_;
  Comparison comparison_;
};

// Of five regions in a row one becomes twice as fast, one stays, one moves a quarter of the bytes,
// one takes 8 % longer and one three times as long; some vanish and others are new.
// `executions`: 1 leaves noise unknown.
TwoRuns RegionsThatMove(size_t regions, size_t executions = 5);
// One region, which takes so many times as long in the second run.
TwoRuns OneRegionSlower(double times);
// A run and itself.
TwoRuns NothingMoves(size_t regions);

struct ScaledJobs {
  std::deque<ReportJob> jobs;
  Scaling scaling;
};
// 1, 2, 4 and 8 ranks; each region scales worse than the one before it, and one is missing once.
ScaledJobs RegionsThatScale(size_t regions, ScalingKind kind);

struct PortedJobs {
  std::deque<ReportJob> jobs;
  std::vector<RegionPortability> regions;
};
// On three platforms; one region is missing on one of them.
PortedJobs RegionsThatArePorted(size_t regions);

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_LIB_REPORT_SEVERAL_RUNS_H_
