// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/hot_paths.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "lib/report/rows.h"
#include "lib/report/time_order.h"

namespace roofmark {
namespace {

constexpr size_t kManyPaths = 20, kFewHot = 10, kMostHot = 25;
constexpr double kCovered = 0.95;

// Marks the path and those around it, unless that makes too many.
bool Show(const TimedTree& tree, size_t path, std::vector<bool>& shown, size_t& count) {
  std::vector<size_t> more;
  for (std::optional<size_t> at = path; at && !shown[*at]; at = tree.Parent(*at))
    more.push_back(*at);
  if (count + more.size() > kMostHot) return false;
  for (const size_t p : more) shown[p] = true;
  count += more.size();
  return true;
}

}  // namespace

HotPaths HotPathsOf(const ReportJob& job, Detail detail) {
  const TimedTree tree(job.profile, job.analysis);
  std::vector<double> own(tree.size());
  for (size_t p = 0; p < own.size(); ++p) own[p] = tree.Own(p);
  const double all = std::accumulate(own.begin(), own.end(), 0.0);
  if (detail == Detail::kAll || own.size() <= kManyPaths || all <= 0) {
    return {tree.Order(std::vector<bool>(own.size(), true))};
  }
  std::vector<size_t> hottest(own.size());
  std::iota(hottest.begin(), hottest.end(), size_t{0});
  std::stable_sort(hottest.begin(), hottest.end(),
                   [&](size_t a, size_t b) { return own[a] > own[b]; });
  std::vector<bool> shown(own.size());
  size_t count = 0;
  double wanted = kCovered * all, left = all;
  for (const size_t path : hottest) {
    const bool is_enough = count >= kFewHot && !TakesTime(job.analysis.paths[path]);
    if (wanted <= 0 || is_enough || !Show(tree, path, shown, count)) break;
    wanted -= own[path];
  }
  for (size_t p = 0; p < own.size(); ++p) left -= shown[p] ? own[p] : 0;
  return {tree.Order(shown), own.size() - count, std::max(0.0, left / all)};
}

}  // namespace roofmark
