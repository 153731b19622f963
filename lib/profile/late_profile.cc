// SPDX-License-Identifier: BSD-3-Clause
#include "lib/profile/late_profile.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "lib/core/first_names.h"
#include "lib/core/messages/recording.h"
#include "lib/profile/region_name.h"

namespace roofmark {

JobProfile LateProfile(RunInfo run, const std::map<std::string, uint64_t>& visits) {
  std::map<std::string, uint64_t> by_path;
  for (const auto& [name, count] : visits) by_path[EscapeRegionName(name)] += count;
  JobProfile late;
  late.run = std::move(run);
  late.run.warnings.clear();
  late.cells = CellTable(by_path.size());
  late.sources[metric::kVisits] = {"timer", Status::kMeasured, ""};
  for (const auto& [path, count] : by_path) {
    const size_t row = late.paths.size();
    late.paths.emplace_back().path = path;
    late.At(row, metric::kVisits) = Cell::Of(count, late.run.first_rank, Status::kMeasured);
  }
  return late;
}

std::string DescribeLate(const JobProfile& late) {
  constexpr size_t kNamed = 8;
  double all = 0;
  std::vector<std::string> regions;
  for (size_t row = 0; row < late.paths.size(); ++row) {
    const double visits = late.At(row, metric::kVisits).SumAsDouble();
    all += visits;
    regions.push_back(fmt::format("{} ({:.0f})", late.paths[row].path, visits));
  }
  const RunInfo& run = late.run;
  const std::string where = run.ranks_merged == 1
                                ? fmt::format("rank {}", run.first_rank)
                                : fmt::format("{} of {} ranks", run.ranks_merged, run.ranks);
  return InWords(message::kRegionsAfterEnd, fmt::format("{:.0f}", all), where,
                 FirstNames(regions, kNamed));
}

}  // namespace roofmark
