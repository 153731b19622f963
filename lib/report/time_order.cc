// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/time_order.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace roofmark {

TimedTree::TimedTree(const JobProfile& job, const JobAnalysis& analysis)
    : parents_(job.paths.size()), children_(parents_.size()), times_(parents_.size()) {
  std::map<std::string_view, size_t> index;
  for (size_t p = 0; p < parents_.size(); ++p) {
    const Value& time = analysis.paths[p].time_s;
    times_[p] = time ? *time : 0;
    index.emplace(job.paths[p].path, p);
    const auto parent = index.find(ParentPath(job.paths[p].path));
    if (parent == index.end()) {
      roots_.push_back(p);
    } else {
      parents_[p] = parent->second;
      children_[parent->second].push_back(p);
    }
  }
}

double TimedTree::Own(size_t path) const {
  double own = times_[path];
  for (const size_t child : children_[path]) own -= times_[child];
  return std::max(0.0, own);
}

std::vector<size_t> TimedTree::Order(const std::vector<bool>& shown) const {
  std::vector<size_t> order;
  Append(roots_, shown, order);
  return order;
}

void TimedTree::Append(std::vector<size_t> siblings, const std::vector<bool>& shown,
                       std::vector<size_t>& order) const {
  std::stable_sort(siblings.begin(), siblings.end(),
                   [this](size_t a, size_t b) { return times_[a] > times_[b]; });
  for (const size_t path : siblings) {
    if (!shown[path]) continue;
    order.push_back(path);
    Append(children_[path], shown, order);
  }
}

std::vector<size_t> TimeOrder(const JobProfile& job, const JobAnalysis& analysis) {
  const TimedTree tree(job, analysis);
  return tree.Order(std::vector<bool>(tree.size(), true));
}

}  // namespace roofmark
