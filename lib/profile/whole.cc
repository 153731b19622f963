// SPDX-License-Identifier: BSD-3-Clause
#include "lib/profile/whole.h"

namespace roofmark {

JobProfile WholeOf(const JobProfile& job) {
  JobProfile whole;
  whole.run = job.run;
  whole.sources = job.sources;
  if (job.whole.empty()) return whole;
  for (const std::string_view name : {kOutsideName, kProgramName}) {
    whole.paths.emplace_back().path = name;
  }
  whole.cells = job.whole;
  return whole;
}

void MergeWhole(CellTable& into, const CellTable& other) {
  if (into.empty() || other.empty()) {
    into = {};
    return;
  }
  for (MetricId m = 0; m < kMetrics; ++m) {
    if (!other.Has(m)) continue;
    for (size_t row = 0; row < into.rows(); ++row) {
      into.At(row, m) = Combine(into.At(row, m), other.At(row, m));
    }
  }
}

}  // namespace roofmark
