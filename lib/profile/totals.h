// SPDX-License-Identifier: BSD-3-Clause
//
// Totals: FLOPs of a precision and of all, bytes of DRAM. They are metrics like others, but sums of
// them: made for one rank when it is folded, so that merging gives their extremes over the ranks.
#ifndef ROOFMARK_LIB_PROFILE_TOTALS_H_
#define ROOFMARK_LIB_PROFILE_TOTALS_H_

#include <optional>
#include <string>

#include "lib/core/metric.h"
#include "lib/core/status.h"
#include "lib/profile/profile.h"

namespace roofmark {

// Several metrics of one path added up. Without a sum `missing` names the metric that is to blame,
// and `status` is that metric's.
struct Total {
  std::optional<Sum128> sum;
  Status status = Status::kMeasured;  // the worst of the parts
  MetricId missing = 0;

  explicit operator bool() const { return sum.has_value(); }
};

// The total as stored, or added up from the sums of its parts where a file has none: an older
// roofmark wrote it. A metric that is no total is its own sum.
Total TotalOf(const JobProfile& job, size_t path, MetricId total);
// FLOPs of all precisions together, where the CPU counts them so.
Total MixedFlopsTotal(const JobProfile& job, size_t path);
// The collectors that the parts of a path's total come from, joined by '+'.
std::string OriginOfTotal(const JobProfile& job, size_t path, MetricId total);

// Makes the totals of a profile of one rank from its cells, and their sources. Where one process
// stands for several packages their totals cannot be told apart: then the sum is TotalOf() alone.
void FillTotals(JobProfile& rank);

// Leaves out totals that not all ranks contributed to, which happens where files of an older
// roofmark are merged: TotalOf() then adds up the parts.
void DropPartialTotals(JobProfile& job);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_PROFILE_TOTALS_H_
