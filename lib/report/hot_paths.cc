// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/hot_paths.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <string_view>

#include "lib/report/rows.h"

namespace roofmark {
namespace {

constexpr size_t kManyPaths = 20, kFewHot = 10, kMostHot = 25;
constexpr double kCovered = 0.95;

// The paths as a tree with their times.
class TimedTree {
 public:
  explicit TimedTree(const ReportJob& job)
      : parents_(job.profile.paths.size()), children_(parents_.size()), times_(parents_.size()) {
    std::map<std::string_view, size_t> index;
    for (size_t p = 0; p < parents_.size(); ++p) {
      const Value& time = job.analysis.paths[p].time_s;
      times_[p] = time ? *time : 0;
      index.emplace(job.profile.paths[p].path, p);
      const auto parent = index.find(ParentPath(job.profile.paths[p].path));
      if (parent == index.end()) {
        roots_.push_back(p);
      } else {
        parents_[p] = parent->second;
        children_[parent->second].push_back(p);
      }
    }
  }

  // Without the time of what is inside it.
  double Own(size_t path) const {
    double own = times_[path];
    for (const size_t child : children_[path]) own -= times_[child];
    return std::max(0.0, own);
  }

  std::vector<size_t> Order(const std::vector<bool>& shown) const {
    std::vector<size_t> order;
    Append(roots_, shown, order);
    return order;
  }

  const std::optional<size_t>& Parent(size_t path) const { return parents_[path]; }
  size_t size() const { return parents_.size(); }

 private:
  void Append(std::vector<size_t> siblings, const std::vector<bool>& shown,
              std::vector<size_t>& order) const {
    std::stable_sort(siblings.begin(), siblings.end(),
                     [this](size_t a, size_t b) { return times_[a] > times_[b]; });
    for (const size_t path : siblings) {
      if (!shown[path]) continue;
      order.push_back(path);
      Append(children_[path], shown, order);
    }
  }

  std::vector<std::optional<size_t>> parents_;
  std::vector<std::vector<size_t>> children_;
  std::vector<double> times_;
  std::vector<size_t> roots_;
};

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
  const TimedTree tree(job);
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
