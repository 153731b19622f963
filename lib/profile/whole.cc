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

void MergeWhole(std::vector<Cell>& into, const std::vector<Cell>& other) {
  if (into.empty() || other.empty()) return into.clear();
  for (size_t i = 0; i < into.size(); ++i) into[i] = Combine(into[i], other[i]);
}

}  // namespace roofmark
