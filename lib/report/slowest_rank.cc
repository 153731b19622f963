// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/slowest_rank.h"

#include <vector>

#include "lib/profile/whole.h"
#include "lib/report/time_order.h"

namespace roofmark {
namespace {

double SecondsOf(const PathAnalysis& path) { return path.time_s ? *path.time_s : 0; }

// Of the program as of the paths; 0 where it is not known.
double SecondsOfWhole(const JobAnalysis& analysis, WholeRow row) {
  const bool known = analysis.whole.size() == kWholeRows;
  return known ? SecondsOf(analysis.whole[static_cast<size_t>(row)]) : 0;
}

}  // namespace

std::string SlowestRankLine(const ReportJob& job) {
  constexpr double kMore = 1.01;
  if (job.profile.run.ranks_merged < 2) return {};
  const TimedTree tree(job.profile, job.analysis);
  const size_t paths = tree.size();  // behind them: the program
  std::vector<double> wholes(paths + 1), parts(paths + 1);
  for (size_t p = 0; p < paths; ++p) {
    wholes[p] = SecondsOf(job.analysis.paths[p]);
    parts[tree.Parent(p).value_or(paths)] += wholes[p];
  }
  wholes[paths] = SecondsOfWhole(job.analysis, WholeRow::kProgram);
  parts[paths] += SecondsOfWhole(job.analysis, WholeRow::kOutside);
  for (size_t p = 0; p <= paths; ++p) {
    if (wholes[p] > 0 && parts[p] > kMore * wholes[p]) {
      return "each time is that of the row's slowest rank: parts may take more than the whole";
    }
  }
  return {};
}

}  // namespace roofmark
