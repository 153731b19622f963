// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/drawn_regions.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "lib/core/nearest.h"
#include "lib/core/pattern_list.h"
#include "lib/model/path_names.h"
#include "lib/profile/whole.h"

namespace roofmark {
namespace {

// Names and paths of regions, of which one may have been meant.
std::string_view NearestRegion(std::string_view word, const std::vector<ReportJob>& jobs,
                               std::vector<std::string>& texts) {
  for (const ReportJob& job : jobs) {
    for (const PathInfo& info : job.profile.paths) {
      texts.push_back(LeafName(info.path));
      texts.push_back(info.path);
    }
  }
  texts.emplace_back(kProgramName);
  return NearestWord(word, std::vector<std::string_view>(texts.begin(), texts.end()));
}

}  // namespace

Result<DrawnRegions::Named> DrawnRegions::Named::Parse(std::string_view text) {
  Result<RegionPattern> pattern = RegionPattern::Parse(text);
  if (!pattern) return Error{pattern.error()};
  return Named{std::string(text), std::move(*pattern)};
}

// The program is behind all paths.
bool DrawnRegions::Named::Matches(const JobProfile& job, size_t row) const {
  if (row == job.paths.size()) return text == kProgramName;
  return pattern.Matches(PathNames(job.paths[row].path));
}

Result<DrawnRegions> DrawnRegions::Parse(std::string_view text) {
  Result<std::vector<Named>> patterns = ParsePatterns<Named>(text);
  if (!patterns) return Error{patterns.error()};
  DrawnRegions regions;
  regions.patterns_ = std::move(*patterns);
  return regions;
}

std::vector<size_t> DrawnRegions::All(const JobProfile& job, const Named& pattern) {
  const size_t programs = WholeOf(job).paths.empty() ? 0 : 1;
  std::vector<size_t> rows;
  for (size_t row = 0; row < job.paths.size() + programs; ++row) {
    if (pattern.Matches(job, row)) rows.push_back(row);
  }
  return rows;
}

std::vector<size_t> DrawnRegions::In(const JobProfile& job) const {
  std::vector<size_t> drawn;
  if (patterns_.front().pattern.leaves_out()) {
    drawn.resize(job.paths.size());
    std::iota(drawn.begin(), drawn.end(), size_t{0});
  }
  for (const Named& each : patterns_) {
    for (const size_t row : All(job, each)) {
      const auto at = std::find(drawn.begin(), drawn.end(), row);
      if (each.pattern.leaves_out() && at != drawn.end()) drawn.erase(at);
      if (!each.pattern.leaves_out() && at == drawn.end()) drawn.push_back(row);
    }
  }
  return drawn;
}

std::string DrawnRegions::WhyUnknown(const std::vector<ReportJob>& jobs) const {
  for (const Named& each : patterns_) {
    const bool is_known = std::any_of(jobs.begin(), jobs.end(), [&each](const ReportJob& job) {
      return !All(job.profile, each).empty();
    });
    if (is_known) continue;
    std::vector<std::string> texts;
    const std::string_view near = NearestRegion(each.text, jobs, texts);
    return fmt::format("no region is called {}: {}", each.text,
                       near.empty() ? "`roofmark report FILE --all` lists them"
                                    : fmt::format("did you mean {}?", near));
  }
  return {};
}

}  // namespace roofmark
